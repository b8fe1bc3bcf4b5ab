/** Work without a pause that other tasks hardly notice. Milliseconds. */
const longestRun = 10;

/** Node has it, browsers do not. */
const { setImmediate: soon } = globalThis as { setImmediate?: (then: () => void) => unknown };

/** What is used of a message port; the types of Node leave out `onmessage`. */
type Port = { onmessage: (() => void) | null; close(): void; postMessage(message: null): void };

/**
 * Lets other tasks of this thread run now and then: steps may be computed on this thread, and nobody else would get a turn.
 * A turn is asked for when a step begins. Where steps are computed elsewhere it comes meanwhile, and holds up nobody.
 */
export class Breather {
  /** When others last had a turn, as far as is known. */
  #turnAt = performance.now();
  #stepAt = this.#turnAt;
  /** A turn that has not come. */
  #turn: Promise<void> | undefined;

  /** A step begins. */
  stepBegins(): void {
    const now = performance.now();
    // It may take as long as the last one.
    const isTime = 2 * now - this.#turnAt - this.#stepAt >= longestRun;
    this.#stepAt = now;
    if (isTime) this.#turn ??= this.#takeTurn();
  }

  /** Waits for the turn that was asked for, if it has not come. */
  async breathe(): Promise<void> {
    await this.#turn;
  }

  async #takeTurn(): Promise<void> {
    await turnOfOthers();
    this.#turnAt = performance.now();
    this.#turn = undefined;
  }
}

function turnOfOthers(): Promise<void> {
  if (soon) return new Promise((resolve) => soon(resolve));
  // Unlike a timer, a message to oneself comes without delay in browsers. It takes longer than what Node has for this.
  const channel = new MessageChannel();
  const [from, to] = [channel.port1, channel.port2] as unknown as [Port, Port];
  return new Promise((resolve) => {
    to.onmessage = () => {
      to.close();
      resolve();
    };
    from.postMessage(null);
  });
}
