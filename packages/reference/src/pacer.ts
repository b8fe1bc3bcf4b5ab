/** Long enough that pausing costs little, short enough that a page or a server stays responsive. */
const burstMs = 10;

/** Keeps long work from blocking the JavaScript thread: it says when to pause, and lets other tasks run. */
export class Pacer {
  #since = performance.now();

  due(): boolean {
    return performance.now() - this.#since > burstMs;
  }

  async pause(): Promise<void> {
    await nextTask();
    this.#since = performance.now();
  }
}

/** What is used of a message port; the types of Node leave out `onmessage`. */
interface Port {
  onmessage: (() => void) | null;
  postMessage(message: undefined): void;
  close(): void;
}

/** A message to oneself: unlike a timer it has no smallest delay, in browsers and in Node. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel() as unknown as Record<'port1' | 'port2', Port>;
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
