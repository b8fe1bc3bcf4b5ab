import { CACHE_PAGE_POSITIONS, type Cache, type CacheSpec } from '@pocketllm/abi';
import { CacheRows } from './cache-rows.js';
import { Resource } from './resource.js';
import type { Turns } from './turns.js';

/** All pages in one buffer, page after page: so a page is copied, read and written in one piece. */
export class PagedCache extends Resource implements Cache {
  readonly spec: CacheSpec;
  readonly #turns: Turns;
  readonly #layers = new Map<string, { keys: CacheRows; values: CacheRows }>();
  readonly #pageBytes: number;
  #bytes: Uint8Array;

  /** Fails with OUT_OF_MEMORY. */
  constructor(owner: Set<Resource>, turns: Turns, spec: CacheSpec) {
    super(owner, 'cache');
    this.spec = spec;
    this.#turns = turns;
    const { layers, pages, format } = spec;
    const lengthOf = (heads: number, size: number) => CACHE_PAGE_POSITIONS * heads * size;
    const pageLength = layers.reduce(
      (sum, layer) => sum + lengthOf(layer.kvHeads, layer.headSize + layer.valueSize),
      0,
    );
    this.#pageBytes = pageLength * (format === 'f32' ? 4 : 2);
    const buffer = this.allocate('caches', this.#pageBytes * pages);
    this.#bytes = new Uint8Array(buffer);
    const elements = format === 'f32' ? new Float32Array(buffer) : new Uint16Array(buffer);
    let begin = 0;
    for (const { name, kvHeads, headSize, valueSize } of layers) {
      const keys = new CacheRows(elements, pageLength, begin, kvHeads, headSize);
      begin += lengthOf(kvHeads, headSize);
      const values = new CacheRows(elements, pageLength, begin, kvHeads, valueSize);
      begin += lengthOf(kvHeads, valueSize);
      this.#layers.set(name, { keys, values });
    }
  }

  /** A layer of the spec. */
  layer(name: string): { keys: CacheRows; values: CacheRows } {
    return this.#layers.get(name)!;
  }

  copyPage(from: number, to: number): Promise<void> {
    return this.#turns.take(() => this.#page(to).set(this.#page(from)));
  }

  readPage(page: number): Promise<Uint8Array> {
    return this.#turns.take(() => this.#page(page).slice());
  }

  writePage(page: number, bytes: Uint8Array): Promise<void> {
    return this.#turns.take(() => {
      const target = this.#page(page);
      if (bytes.length !== target.length) {
        throw new TypeError(`a page of this cache has ${target.length} bytes, not ${bytes.length}`);
      }
      target.set(bytes);
    });
  }

  close(): Promise<void> {
    this.dispose();
    return this.#turns.idle();
  }

  override dispose(): void {
    super.dispose();
    this.#layers.clear();
    this.#bytes = new Uint8Array();
  }

  #page(page: number): Uint8Array {
    this.check();
    if (!Number.isInteger(page) || page < 0 || page >= this.spec.pages) {
      throw new TypeError(`a page of this cache is below ${this.spec.pages}, not ${page}`);
    }
    return this.#bytes.subarray(page * this.#pageBytes, (page + 1) * this.#pageBytes);
  }
}
