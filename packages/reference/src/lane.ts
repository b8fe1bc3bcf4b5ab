/** Runs tasks one after another, in the order in which they came. */
export class Lane {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(task: () => T | Promise<T>): Promise<T> {
    const result = this.#last.then(task);
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Waits for the tasks that came before. */
  idle(): Promise<void> {
    return this.run(() => undefined);
  }
}
