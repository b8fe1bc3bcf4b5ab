import { CACHE_PAGE_POSITIONS } from '@pocketllm/abi';
import { halves, toHalf } from './half.js';

/** The keys, or the values, of one layer of the cache: a row of `size` elements for each head at each position. */
export class CacheRows {
  readonly #elements: Float32Array | Uint16Array;
  readonly #pageLength: number;
  readonly #begin: number;
  readonly #heads: number;
  readonly #size: number;

  /** In pages of `pageLength` elements, singles or halves, they stand from element `begin` on. */
  constructor(
    elements: Float32Array | Uint16Array,
    pageLength: number,
    begin: number,
    heads: number,
    size: number,
  ) {
    this.#elements = elements;
    this.#pageLength = pageLength;
    this.#begin = begin;
    this.#heads = heads;
    this.#size = size;
  }

  /** Stores the row that starts at x[from]. */
  write(pages: readonly number[], position: number, head: number, x: Float32Array, from: number): void {
    const at = this.#place(pages, position, head);
    const elements = this.#elements;
    if (elements instanceof Float32Array) elements.set(x.subarray(from, from + this.#size), at);
    else for (let i = 0; i < this.#size; i++) elements[at + i] = toHalf(x[from + i]!);
  }

  /** Reads a row to the start of `out`. */
  read(pages: readonly number[], position: number, head: number, out: Float32Array): void {
    const at = this.#place(pages, position, head);
    const elements = this.#elements;
    if (elements instanceof Float32Array) out.set(elements.subarray(at, at + this.#size));
    else for (let i = 0; i < this.#size; i++) out[i] = halves[elements[at + i]!]!;
  }

  #place(pages: readonly number[], position: number, head: number): number {
    const page = pages[Math.floor(position / CACHE_PAGE_POSITIONS)]!;
    const row = (position % CACHE_PAGE_POSITIONS) * this.#heads + head;
    return page * this.#pageLength + this.#begin + row * this.#size;
  }
}
