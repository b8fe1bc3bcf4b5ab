import type { Program } from '../program/index.js';
import type { Cache, CacheSpec } from './cache.js';
import type { Capabilities, DeviceClass } from './capabilities.js';
import type { Step, StepResult } from './step.js';
import type { WeightSource } from './weight-source.js';

/** The version of this contract. Within it, all changes are additive. */
export const ABI_VERSION = 1;

export interface DeviceInfo {
  /** Unique within the plugin, stable between runs: `avx512vnni`, `0`. */
  readonly id: string;
  /** For people: the processor's or card's own name. */
  readonly name: string;
  readonly class: DeviceClass;
  /** Bytes that weights, caches and scratch may use at most; absent where the platform does not say. */
  readonly memoryBytes?: number;
  /** What this device runs: rows of the plugin's capabilities file. */
  readonly capabilities: Capabilities;
}

export interface ProbeResult {
  /** Devices that `open` accepts here, fastest first. */
  readonly devices: readonly DeviceInfo[];
  /** What this machine lacks for the devices that are missing: `needs AVX2 or NEON`. */
  readonly reason?: string;
}

export interface OpenOptions {
  /** Threads to compute with; as many as the process may use where absent. */
  readonly threads?: number;
}

export interface PrepareOptions {
  /** The largest `rows` and `outputs` of any step. */
  readonly maxRows: number;
  readonly maxOutputs: number;
  readonly signal?: AbortSignal;
  /** Called now and then while weights are read. Bytes. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** Bytes in use, counted by the backend. */
export interface MemoryReport {
  readonly weights: number;
  readonly caches: number;
  readonly scratch: number;
}

/**
 * One open device. Every failure of its methods is a PocketError. Methods never block the JavaScript thread
 * for longer than it takes to hand over the work; plain TypeScript backends yield between calls.
 */
export interface Backend {
  readonly device: DeviceInfo;
  /**
   * Makes a program ready to run. May fuse, repack and plan memory as it likes. Refuses with OP_UNSUPPORTED,
   * before a byte of weights is read, what the device's capabilities do not claim.
   */
  prepare(program: Program, weights: WeightSource, options: PrepareOptions): Promise<Executable>;
  createCache(spec: CacheSpec): Promise<Cache>;
  memory(): MemoryReport;
  /** Gives everything back, open executables and caches included; twice is fine. */
  close(): Promise<void>;
}

export interface Executable {
  /**
   * Runs one step. Steps on one backend run one after another in the order of the calls. A fired signal ends
   * the step between two ops with CANCELLED; the cache rows of that step are then undefined, older ones keep.
   */
  run(step: Step, signal?: AbortSignal): Promise<StepResult>;
  /** Gives weights and scratch back; twice is fine. */
  release(): Promise<void>;
}

/** What a backend package exports as default. */
export interface BackendPlugin {
  readonly abi: typeof ABI_VERSION;
  readonly name: string;
  /** Looks for devices without loading kernels. Never throws: a reason says what is missing. */
  probe(): Promise<ProbeResult>;
  open(deviceId: string, options?: OpenOptions): Promise<Backend>;
}

/** Names the type of a plugin where it is written. */
export const definePlugin = (plugin: BackendPlugin): BackendPlugin => plugin;
