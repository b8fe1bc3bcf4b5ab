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
import { PagedCache } from './cache.js';
import { StepExecutable } from './executable.js';
import type { Resource } from './resource.js';
import { Turns } from './turns.js';

/** The open device: makes executables and caches, adds up what they hold, and closes them with itself. */
export class TemplateBackend implements Backend {
  readonly device: DeviceInfo;
  readonly #resources = new Set<Resource>();
  readonly #turns = new Turns();
  #closed = false;

  constructor(device: DeviceInfo) {
    this.device = device;
  }

  async prepare(program: Program, weights: WeightSource, options: PrepareOptions): Promise<Executable> {
    this.#check();
    checkCapabilities(program, this.device.capabilities, this.device.id);
    const executable = new StepExecutable(this.#resources, this.#turns, program, options);
    try {
      await executable.load(weights, options);
      return executable;
    } catch (error) {
      executable.dispose();
      throw error;
    }
  }

  async createCache(spec: CacheSpec): Promise<Cache> {
    this.#check();
    checkCacheSpec(spec, this.device.capabilities, this.device.id);
    return new PagedCache(this.#resources, this.#turns, spec);
  }

  memory(): MemoryReport {
    const sum = { weights: 0, caches: 0, scratch: 0 };
    for (const { held } of this.#resources) {
      sum.weights += held.weights;
      sum.caches += held.caches;
      sum.scratch += held.scratch;
    }
    return sum;
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const resource of this.#resources) resource.dispose();
    await this.#turns.idle();
  }

  #check(): void {
    if (this.#closed) throw new PocketError('CLOSED', { what: 'backend' });
  }
}
