import { type MemoryReport, PocketError } from '@pocketllm/abi';

/** What holds memory of the backend until it is disposed of: an executable or a cache. */
export abstract class Resource {
  readonly held = { weights: 0, caches: 0, scratch: 0 };
  readonly #owner: Set<Resource>;
  readonly #what: string;
  #disposed = false;

  constructor(owner: Set<Resource>, what: string) {
    this.#owner = owner;
    this.#what = what;
  }

  /** A buffer of zeros, counted until the resource is disposed of. Fails with OUT_OF_MEMORY. */
  allocate(kind: keyof MemoryReport, bytes: number): ArrayBuffer {
    this.check();
    let buffer: ArrayBuffer;
    try {
      buffer = new ArrayBuffer(bytes);
    } catch (cause) {
      throw new PocketError(
        'OUT_OF_MEMORY',
        { what: `${kind} of the ${this.#what}`, wanted: bytes },
        { cause },
      );
    }
    this.#owner.add(this);
    this.held[kind] += bytes;
    return buffer;
  }

  /** Fails with CLOSED once the resource is disposed of: the first thing that every method asks. */
  check(): void {
    if (this.#disposed) throw new PocketError('CLOSED', { what: this.#what });
  }

  /** Twice is fine. Who extends this lets go of the buffers too. */
  dispose(): void {
    this.#disposed = true;
    this.#owner.delete(this);
  }
}
