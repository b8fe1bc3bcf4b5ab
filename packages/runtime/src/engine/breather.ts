/** Work without a pause that other tasks hardly notice. Milliseconds. */
const longestRun = 10;

/** What is used of a message port; the types of Node leave out `onmessage`. */
type Port = { onmessage: (() => void) | null; close(): void; postMessage(message: null): void };

/** Lets other tasks of this thread run now and then: a step may be over at once, and nobody else would get a turn. */
export class Breather {
  #since = performance.now();

  async breathe(): Promise<void> {
    if (performance.now() - this.#since < longestRun) return;
    // Unlike a timer, a message to oneself comes without delay, in browsers and in Node.
    const channel = new MessageChannel();
    const [from, to] = [channel.port1, channel.port2] as unknown as [Port, Port];
    await new Promise<void>((resolve) => {
      to.onmessage = resolve;
      from.postMessage(null);
    });
    to.close();
    this.#since = performance.now();
  }
}
