import { ApiError } from '../errors/api-error.js';

/**
 * Bounds how many requests are under way: those that the engine runs at the same time, and so many that wait in its
 * queue. More are refused rather than let the queue grow.
 */
export class Admission {
  #open = 0;
  /** How long a request is under way, in milliseconds: a mean that forgets. */
  #usualMs = 1000;

  constructor(
    private readonly maxRunning: number,
    private readonly maxWaiting: number,
  ) {}

  /** Takes a request in; gives what lets it go, twice is fine. Throws an ApiError 429 where there are too many. */
  enter(): () => void {
    if (this.#open >= this.maxRunning + this.maxWaiting) throw this.#full();
    this.#open++;
    const started = performance.now();
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#open--;
      this.#usualMs += 0.2 * (performance.now() - started - this.#usualMs);
    };
  }

  #full(): ApiError {
    // A place becomes free when one of all these ends.
    const seconds = this.#usualMs / this.#open / 1000;
    const message = `The server is busy: ${this.#open} requests are under way. Try again later.`;
    const headers = { 'retry-after': String(Math.min(Math.max(Math.ceil(seconds), 1), 60)) };
    return new ApiError(message, { status: 429, code: 'queue_full', headers });
  }
}
