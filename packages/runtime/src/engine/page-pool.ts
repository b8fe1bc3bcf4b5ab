import { CACHE_PAGE_POSITIONS, PocketError } from '@pocketllm/abi';

interface Waiter {
  readonly count: number;
  readonly grant: (pages: number[]) => void;
  readonly refuse: (error: PocketError) => void;
}

/** Book-keeping of the cache's pages: who holds which, and who waits for some. First come, first served. */
export class PagePool {
  readonly #free: number[];
  readonly #waiting: Waiter[] = [];
  #closed = false;

  constructor(readonly capacity: number) {
    this.#free = Array.from({ length: capacity }, (_, page) => capacity - 1 - page);
  }

  get free(): number {
    return this.#free.length;
  }

  /** How many wait for pages. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Pages for a number of positions, as soon as they are free. Fails with CANCELLED where the signal fires first,
   * with CLOSED where the pool is closed first.
   */
  async take(positions: number, signal?: AbortSignal): Promise<number[]> {
    const count = Math.ceil(positions / CACHE_PAGE_POSITIONS);
    if (count > this.capacity) throw new TypeError(`${count} pages wanted of ${this.capacity}`);
    const cancelled = () => new PocketError('CANCELLED', { during: 'waiting for room in the cache' });
    if (signal?.aborted) throw cancelled();
    if (this.#closed) throw closed();
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        reject(cancelled());
        this.#serve();
      };
      const stopListening = () => signal?.removeEventListener('abort', onAbort);
      const waiter: Waiter = {
        count,
        grant: (pages) => {
          stopListening();
          resolve(pages);
        },
        refuse: (error) => {
          stopListening();
          reject(error);
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#waiting.push(waiter);
      this.#serve();
    });
  }

  giveBack(pages: readonly number[]): void {
    this.#free.push(...pages);
    this.#serve();
  }

  /** Gives out no more pages. Those who wait would wait for ever: what they wait for may never be read on. */
  close(): void {
    this.#closed = true;
    for (const { refuse } of this.#waiting.splice(0)) refuse(closed());
  }

  #serve(): void {
    for (let first = this.#waiting[0]; first && first.count <= this.#free.length; first = this.#waiting[0]) {
      this.#waiting.shift();
      first.grant(this.#free.splice(this.#free.length - first.count));
    }
  }
}

const closed = () => new PocketError('CLOSED', { what: 'the model' });
