import type { WeightFormatName } from '../formats/index.js';
import type { OpName } from '../ops/index.js';
import type { CacheFormat } from './cache.js';

/** A bound on one size of an op, by extent or attribute name. */
export interface Limit {
  readonly max?: number;
  readonly multipleOf?: number;
}

/** One op that a device runs. Several rows may name the same op; one that fits is enough. */
export interface CapabilityRow {
  readonly op: OpName;
  /** Formats of the op's weights (`encode`: of its output); absent for ops without. */
  readonly formats?: readonly WeightFormatName[];
  /** Cache formats, for `attention`. */
  readonly caches?: readonly CacheFormat[];
  readonly limits?: Readonly<Record<string, Limit>>;
  /** Values of choice attributes that are supported, where not all are. */
  readonly attributes?: Readonly<Record<string, readonly string[]>>;
}

export const deviceClasses = ['cpu', 'cuda', 'webgpu'] as const;

export type DeviceClass = (typeof deviceClasses)[number];

export const equalities = ['batch', 'chunks', 'pages', 'threads'] as const;

/**
 * Results that are equal bit for bit: whoever shares the step (`batch`), however a prompt is cut
 * (`chunks`), whichever pages hold a sequence (`pages`), on any number of threads (`threads`).
 */
export type Equality = (typeof equalities)[number];

/** The content of `pocketllm.backend.json`: what a backend runs, readable on any machine. */
export interface Capabilities {
  readonly abi: 1;
  readonly name: string;
  readonly deviceClasses: readonly DeviceClass[];
  readonly ops: readonly CapabilityRow[];
  readonly bitExact: readonly Equality[];
}
