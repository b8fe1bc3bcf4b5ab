import { type Cache, type CacheSpec, PocketError, weightFormats } from '@pocketllm/abi';
import type { Addon, NativeCache } from './addon.js';
import type { Lane } from './lane.js';

/** A paged cache in native memory. Its methods take their turn among the steps of the backend. */
export class CpuCache implements Cache {
  readonly spec: CacheSpec;
  readonly #lane: Lane;
  readonly #onClose: (cache: CpuCache) => void;
  #native: NativeCache | undefined;

  /** Fails with the native module's error where memory does not suffice. */
  constructor(addon: Addon, isa: string, spec: CacheSpec, lane: Lane, onClose: (cache: CpuCache) => void) {
    const layers = spec.layers.flatMap(({ kvHeads, headSize, valueSize }) => [kvHeads, headSize, valueSize]);
    const format = weightFormats[spec.format].ggufType;
    this.spec = spec;
    this.#native = new addon.Cache(isa, Float64Array.from(layers), spec.pages, format);
    this.#lane = lane;
    this.#onClose = onClose;
  }

  /** What steps hand to native code. Fails with CLOSED. */
  get native(): NativeCache {
    if (this.#native) return this.#native;
    throw new PocketError('CLOSED', { what: 'cache' });
  }

  get bytes(): number {
    return this.#native?.bytes ?? 0;
  }

  copyPage(from: number, to: number): Promise<void> {
    return this.#withPages([from, to], (native) => native.copyPage(from, to));
  }

  readPage(page: number): Promise<Uint8Array> {
    return this.#withPages([page], (native) => {
      const bytes = new Uint8Array(native.pageBytes);
      native.readPage(page, bytes);
      return bytes;
    });
  }

  writePage(page: number, bytes: Uint8Array): Promise<void> {
    return this.#withPages([page], (native) => {
      if (bytes.length !== native.pageBytes) {
        throw new TypeError(`${bytes.length} bytes for a page of ${native.pageBytes}`);
      }
      native.writePage(page, bytes);
    });
  }

  /** What waits for its turn fails with CLOSED; a step that runs is finished first. */
  async close(): Promise<void> {
    const native = this.#native;
    this.#native = undefined;
    this.#onClose(this);
    await this.#lane.drained();
    native?.release();
  }

  #withPages<T>(pages: readonly number[], action: (native: NativeCache) => T): Promise<T> {
    return this.#lane.enter(() => {
      const wrong = pages.find((page) => !Number.isSafeInteger(page) || page < 0 || page >= this.spec.pages);
      if (wrong !== undefined) throw new TypeError(`page ${wrong} of a cache with ${this.spec.pages}`);
      return action(this.native);
    });
  }
}
