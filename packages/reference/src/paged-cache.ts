import { type Cache, type CacheSpec, PocketError } from '@pocketllm/abi';
import { CachePlane, type LayerPlanes } from './cache-plane.js';
import type { Lane } from './lane.js';
import type { Account } from './memory.js';

/** Keys and values of all layers. Its methods take their turn among the steps of the backend. */
export class PagedCache implements Cache {
  readonly spec: CacheSpec;
  readonly account: Account;
  readonly #lane: Lane;
  readonly #layers = new Map<string, LayerPlanes>();

  /** Fails with OUT_OF_MEMORY; its account may hold a part then. */
  constructor(spec: CacheSpec, account: Account, lane: Lane) {
    if (!Number.isSafeInteger(spec.pages) || spec.pages < 1) {
      throw new TypeError(`a cache has at least one page, not ${spec.pages}`);
    }
    this.spec = spec;
    this.account = account;
    this.#lane = lane;
    account.onClose(() => this.#layers.clear());
    const allocate = (bytes: number) => account.allocate('caches', bytes, `${spec.pages} cache pages`);
    for (const { name, kvHeads, headSize, valueSize } of spec.layers) {
      this.#layers.set(name, {
        keys: new CachePlane(spec.format, spec.pages, kvHeads, headSize, allocate),
        values: new CachePlane(spec.format, spec.pages, kvHeads, valueSize, allocate),
      });
    }
  }

  /** A layer of the spec. Fails with STEP_INVALID where there is none of that name. */
  layer(name: string): LayerPlanes {
    const planes = this.#layers.get(name);
    if (planes) return planes;
    const expected = [...this.#layers.keys()].join(', ');
    throw new PocketError('STEP_INVALID', { field: 'cache.layers', expected, found: name });
  }

  copyPage(from: number, to: number): Promise<void> {
    return this.#onPages([from, to], () => {
      for (const plane of this.#planes()) plane.page(to).set(plane.page(from));
    });
  }

  readPage(page: number): Promise<Uint8Array> {
    return this.#onPages([page], () => {
      const bytes = new Uint8Array(this.#pageBytes());
      let at = 0;
      for (const plane of this.#planes()) {
        bytes.set(plane.page(page), at);
        at += plane.pageBytes;
      }
      return bytes;
    });
  }

  writePage(page: number, bytes: Uint8Array): Promise<void> {
    return this.#onPages([page], () => {
      const expected = this.#pageBytes();
      if (bytes.length !== expected) {
        throw new TypeError(`a page of this cache has ${expected} bytes, not ${bytes.length}`);
      }
      let at = 0;
      for (const plane of this.#planes()) {
        plane.page(page).set(bytes.subarray(at, at + plane.pageBytes));
        at += plane.pageBytes;
      }
    });
  }

  close(): Promise<void> {
    this.account.close();
    return this.#lane.idle();
  }

  #onPages<T>(pages: readonly number[], action: () => T): Promise<T> {
    return this.#lane.run(() => {
      this.account.check();
      for (const page of pages) {
        if (!Number.isSafeInteger(page) || page < 0 || page >= this.spec.pages) {
          throw new TypeError(`a page of this cache is below ${this.spec.pages}, not ${page}`);
        }
      }
      return action();
    });
  }

  #planes(): CachePlane[] {
    return [...this.#layers.values()].flatMap(({ keys, values }) => [keys, values]);
  }

  #pageBytes(): number {
    return this.#planes().reduce((sum, plane) => sum + plane.pageBytes, 0);
  }
}
