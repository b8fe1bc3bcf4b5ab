import {
  type Backend,
  type Cache,
  type CacheSpec,
  checkCacheSpec,
  checkCapabilities,
  type DeviceInfo,
  type Executable,
  type MemoryReport,
  type OpenOptions,
  PocketError,
  type PrepareOptions,
  type Program,
  type WeightSource,
} from '@pocketllm/abi';
import type { Addon, NativePool } from './addon.js';
import { CpuCache } from './cache.js';
import { CpuExecutable } from './executable.js';
import { typedFailure } from './failure.js';
import { Lane } from './lane.js';
import { loadWeights, storedBytes } from './load-weights.js';
import { makePlan } from './plan/plan.js';

/** One instruction set of this machine's processor, with its threads. */
export class CpuBackend implements Backend {
  readonly device: DeviceInfo;
  readonly #addon: Addon;
  readonly #pool: NativePool;
  readonly #lane = new Lane();
  readonly #executables = new Set<CpuExecutable>();
  readonly #caches = new Set<CpuCache>();
  #closed = false;

  constructor(addon: Addon, device: DeviceInfo, { threads = addon.cores }: OpenOptions = {}) {
    if (!Number.isSafeInteger(threads) || threads < 1)
      throw new TypeError(`threads is a count, not ${threads}`);
    this.#addon = addon;
    this.device = device;
    // More threads than cores would wait for each other.
    this.#pool = this.#natively(() => new addon.Pool(Math.min(threads, addon.cores)));
  }

  async prepare(program: Program, weights: WeightSource, options: PrepareOptions): Promise<Executable> {
    this.#checkOpen();
    const { id, capabilities } = this.device;
    checkCapabilities(program, capabilities, id);
    if (options.signal?.aborted) throw new PocketError('CANCELLED', { during: 'prepare' });
    const largest = { rows: options.maxRows, outputs: options.maxOutputs };
    const plan = makePlan(program, largest, {
      device: id,
      quantizesActivations: this.#hasQuantizer('f32'),
      splitsActivations: this.#hasQuantizer('bf16'),
    });
    const sizes = program.weights.filter(({ name }) => plan.weights.has(name)).map(storedBytes);
    const native = this.#natively(
      () =>
        new this.#addon.Executable(
          this.#pool,
          id,
          plan.records,
          plan.opNames,
          plan.valueOffsets,
          plan.arenaBytes,
          Float64Array.from(sizes),
        ),
    );
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    const executable = new CpuExecutable(native, bytes, program, plan, options, {
      lane: this.#lane,
      typed: (error) => typedFailure(error, this.#addon.memoryBytes),
      onRelease: (released) => this.#executables.delete(released),
    });
    this.#executables.add(executable);
    try {
      await loadWeights(program, plan.weights, weights, native, options);
      // With the threads that steps run on.
      await this.#lane.enter(() => native.packWeights());
      this.#checkOpen();
    } catch (error) {
      await executable.release();
      throw this.#closed ? new PocketError('CLOSED', { what: 'backend' }, { cause: error }) : error;
    }
    return executable;
  }

  async createCache(spec: CacheSpec): Promise<Cache> {
    this.#checkOpen();
    checkCacheSpec(spec, this.device.capabilities, this.device.id);
    const cache = this.#natively(
      () =>
        new CpuCache(this.#addon, this.device.id, spec, this.#lane, (closed) => this.#caches.delete(closed)),
    );
    this.#caches.add(cache);
    return cache;
  }

  memory(): MemoryReport {
    let weights = 0;
    let caches = 0;
    let scratch = 0;
    for (const executable of this.#executables) {
      weights += executable.weightBytes;
      scratch += executable.scratchBytes;
    }
    for (const cache of this.#caches) caches += cache.bytes;
    return { weights, caches, scratch };
  }

  async close(): Promise<void> {
    if (this.#closed) return this.#lane.drained();
    this.#closed = true;
    await Promise.all([
      ...[...this.#executables].map((executable) => executable.release()),
      ...[...this.#caches].map((cache) => cache.close()),
    ]);
    this.#pool.release();
  }

  /** Whether this instruction set has a kernel that rounds activations: f32 for weights in blocks, bf16 for others. */
  #hasQuantizer(wanted: string): boolean {
    return this.#addon.kernels.some(
      ({ isa, op, format }) => isa === this.device.id && op === 'quantize_rows' && format === wanted,
    );
  }

  #natively<T>(make: () => T): T {
    try {
      return make();
    } catch (error) {
      throw typedFailure(error, this.#addon.memoryBytes);
    }
  }

  #checkOpen(): void {
    if (this.#closed) throw new PocketError('CLOSED', { what: 'backend' });
  }
}
