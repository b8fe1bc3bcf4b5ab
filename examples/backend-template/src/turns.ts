/** Runs one task after another, in the order in which they come. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  take<T>(task: () => T | Promise<T>): Promise<T> {
    const result = this.#last.then(task);
    this.#last = result.catch(() => {});
    return result;
  }

  /** Waits for the tasks that came before. */
  idle(): Promise<void> {
    return this.take(() => {});
  }
}
