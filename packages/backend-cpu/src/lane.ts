/** Lets tasks run one at a time, in the order in which they were given. */
export class Lane {
  #tail: Promise<unknown> = Promise.resolve();

  /** Runs a task when all before it are over, whether they succeeded or not. */
  enter<T>(task: () => Promise<T> | T): Promise<T> {
    const turn = this.#tail.then(task, task);
    this.#tail = turn;
    turn.catch(() => {});
    return turn;
  }

  /** Over when all tasks are that were given so far. */
  async drained(): Promise<void> {
    await this.enter(() => {});
  }
}
