import {
  type Backend,
  type Cache,
  type CacheSpec,
  checkCacheSpec,
  checkCapabilities,
  type DeviceInfo,
  type Executable,
  type MemoryReport,
  PocketError,
  type PrepareOptions,
  type Program,
  type WeightSource,
} from '@pocketllm/abi';
import { ReferenceExecutable } from './executable.js';
import { Lane } from './lane.js';
import { loadWeights } from './load-weights.js';
import { type Account, Memory } from './memory.js';
import { Pacer } from './pacer.js';
import { PagedCache } from './paged-cache.js';
import type { ReferenceParts } from './parts.js';

/** Computes on the JavaScript thread, and lets other tasks run every few milliseconds. */
export class ReferenceBackend implements Backend {
  readonly device: DeviceInfo;
  readonly #parts: ReferenceParts;
  readonly #memory = new Memory();
  readonly #lane = new Lane();
  readonly #pacer = new Pacer();

  constructor(device: DeviceInfo, parts: ReferenceParts) {
    this.device = device;
    this.#parts = parts;
  }

  prepare(program: Program, weights: WeightSource, options: PrepareOptions): Promise<Executable> {
    return this.#holding('executable', async (account) => {
      checkCapabilities(program, this.device.capabilities, this.device.id);
      if (options.signal?.aborted) throw new PocketError('CANCELLED', { during: 'prepare' });
      const { decodeRow, kernelOf } = this.#parts;
      const pacer = this.#pacer;
      const executable = new ReferenceExecutable(program, options, account, this.#lane, pacer, kernelOf);
      executable.setWeights(await loadWeights(program, weights, account, pacer, options, decodeRow));
      return executable;
    });
  }

  createCache(spec: CacheSpec): Promise<Cache> {
    return this.#holding('cache', async (account) => {
      checkCacheSpec(spec, this.device.capabilities, this.device.id);
      return new PagedCache(spec, account, this.#lane);
    });
  }

  memory(): MemoryReport {
    return this.#memory.report();
  }

  close(): Promise<void> {
    this.#memory.close();
    return this.#lane.idle();
  }

  /** Opens an account for what `make` makes, and closes it where that fails. */
  async #holding<T>(what: string, make: (account: Account) => Promise<T>): Promise<T> {
    const account = this.#memory.open(what);
    try {
      return await make(account);
    } catch (error) {
      account.close();
      throw error;
    }
  }
}
