import { PocketError } from '@pocketllm/abi';
import { ApiError } from '../errors/api-error.js';

/** A place among the requests that run, or in the queue for one. */
export interface Ticket {
  /** Once the request may run. CANCELLED where the signal fires before that. */
  readonly ready: Promise<void>;
  /** Gives the place to the next in line; twice is fine. */
  release(): void;
}

/** Lets so many requests run and so many wait, first come, first served; refuses the rest. */
export class Admission {
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  /** How long a request runs, in milliseconds: a mean that forgets. */
  #usualMs = 1000;

  constructor(
    private readonly maxRunning: number,
    private readonly maxWaiting: number,
  ) {}

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Throws an ApiError 429 where the queue is full. */
  enter(signal: AbortSignal): Ticket {
    if (this.#running < this.maxRunning) return { ready: Promise.resolve(), release: this.#run() };
    if (this.#waiting.length >= this.maxWaiting) throw this.#full();
    let release = () => {};
    const ready = new Promise<void>((resolve, reject) => {
      const leave = () => {
        const place = this.#waiting.indexOf(grant);
        if (place >= 0) this.#waiting.splice(place, 1);
        signal.removeEventListener('abort', onAbort);
      };
      const grant = () => {
        signal.removeEventListener('abort', onAbort);
        release = this.#run();
        resolve();
      };
      const onAbort = () => {
        leave();
        reject(new PocketError('CANCELLED', { during: 'waiting in the queue' }));
      };
      release = leave;
      this.#waiting.push(grant);
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) onAbort();
    });
    // Whoever gave up may no longer look.
    ready.catch(() => {});
    return { ready, release: () => release() };
  }

  #run(): () => void {
    this.#running++;
    const started = performance.now();
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#running--;
      this.#usualMs += 0.2 * (performance.now() - started - this.#usualMs);
      this.#waiting.shift()?.();
    };
  }

  #full(): ApiError {
    const seconds = (this.#usualMs * (this.#waiting.length + 1)) / this.maxRunning / 1000;
    const message = `The server is busy: ${this.#running} requests run and ${this.#waiting.length} wait. Try again later.`;
    const headers = { 'retry-after': String(Math.min(Math.max(Math.ceil(seconds), 1), 60)) };
    return new ApiError(message, { status: 429, code: 'queue_full', headers });
  }
}
