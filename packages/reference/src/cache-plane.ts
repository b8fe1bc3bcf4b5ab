import { CACHE_PAGE_POSITIONS, type CacheFormat, rowBytes, weightFormats } from '@pocketllm/abi';
import { cacheCodecs, type StoredValues } from './cache-codec.js';

/** The keys and the values of one layer. */
export interface LayerPlanes {
  readonly keys: CachePlane;
  readonly values: CachePlane;
}

/**
 * The keys, or the values, of one layer in all pages: [page, head, position in the page, size]. So the
 * positions of one head in one page stand together.
 */
export class CachePlane {
  /** Bytes of one page. */
  readonly pageBytes: number;
  readonly #heads: number;
  readonly #size: number;
  readonly #bytes: Uint8Array;
  readonly #stored: StoredValues;

  /** `size` values for each of `heads` heads; `allocate` gives the buffer. */
  constructor(
    format: CacheFormat,
    pages: number,
    heads: number,
    size: number,
    allocate: (bytes: number) => ArrayBuffer,
  ) {
    this.pageBytes = rowBytes(weightFormats[format], size)! * heads * CACHE_PAGE_POSITIONS;
    this.#heads = heads;
    this.#size = size;
    const buffer = allocate(this.pageBytes * pages);
    this.#bytes = new Uint8Array(buffer);
    this.#stored = cacheCodecs[format](buffer);
  }

  /** Stores all heads of one position of a sequence with these pages from x[from] and up. */
  write(pages: readonly number[], position: number, x: Float32Array, from: number): void {
    for (let head = 0; head < this.#heads; head++) {
      this.#stored.write(x, from + head * this.#size, this.#size, this.#place(pages, head, position));
    }
  }

  /** Reads one head of the positions from <= p < to of a sequence with these pages. */
  read(pages: readonly number[], head: number, from: number, to: number, out: Float32Array): void {
    let position = from;
    while (position < to) {
      const inPage = CACHE_PAGE_POSITIONS - (position % CACHE_PAGE_POSITIONS);
      const count = Math.min(inPage, to - position);
      const at = this.#place(pages, head, position);
      this.#stored.read(at, count * this.#size, out, (position - from) * this.#size);
      position += count;
    }
  }

  /** The bytes of a page; writing to them writes to the cache. */
  page(page: number): Uint8Array {
    return this.#bytes.subarray(page * this.pageBytes, (page + 1) * this.pageBytes);
  }

  /** Where a head of a position begins, counted in values. */
  #place(pages: readonly number[], head: number, position: number): number {
    const page = pages[Math.floor(position / CACHE_PAGE_POSITIONS)]!;
    const slot = position % CACHE_PAGE_POSITIONS;
    return ((page * this.#heads + head) * CACHE_PAGE_POSITIONS + slot) * this.#size;
  }
}
