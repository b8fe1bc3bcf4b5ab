import { PocketError } from '../errors.js';
import { type WeightFormatName, weightFormats } from '../formats/index.js';
import { isOpName, type OpName } from '../ops/index.js';
import { type CacheFormat, cacheFormats } from './cache.js';

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
  readonly deviceClasses: readonly ('cpu' | 'cuda' | 'webgpu')[];
  readonly ops: readonly CapabilityRow[];
  readonly bitExact: readonly Equality[];
}

/** Checks the content of a capabilities file. Fails with PLUGIN_INVALID naming the field. */
export function parseCapabilities(json: unknown, plugin: string): Capabilities {
  const bad = (field: string, expected: string): never => {
    throw new PocketError('PLUGIN_INVALID', { plugin, reason: `${field} is not ${expected}` });
  };
  const record = (field: string, value: unknown): Record<string, unknown> =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : bad(field, 'an object');
  const listOf = (field: string, value: unknown, allowed: readonly string[]): readonly string[] => {
    if (!Array.isArray(value)) return bad(field, 'a list');
    const wrong = value.find((item) => !allowed.includes(item));
    return wrong === undefined
      ? value
      : bad(`${field} entry ${String(wrong)}`, `one of ${allowed.join(', ')}`);
  };
  const file = record('the file', json);
  if (file.abi !== 1) {
    throw new PocketError('ABI_MISMATCH', { plugin, wants: Number(file.abi), has: 1 });
  }
  if (typeof file.name !== 'string' || !/^[a-z][a-z0-9-]*$/.test(file.name)) {
    bad('name', 'lower-case letters, digits and dashes');
  }
  listOf('deviceClasses', file.deviceClasses, ['cpu', 'cuda', 'webgpu']);
  listOf('bitExact', file.bitExact, equalities);
  if (!Array.isArray(file.ops)) bad('ops', 'a list');
  (file.ops as unknown[]).forEach((entry, index) => {
    const field = `ops[${index}]`;
    const row = record(field, entry);
    if (typeof row.op !== 'string' || !isOpName(row.op)) bad(`${field}.op`, 'an op of ABI 1');
    if (row.formats !== undefined) listOf(`${field}.formats`, row.formats, Object.keys(weightFormats));
    if (row.caches !== undefined) listOf(`${field}.caches`, row.caches, cacheFormats);
    for (const [name, value] of Object.entries(record(`${field}.limits`, row.limits ?? {}))) {
      for (const [bound, size] of Object.entries(record(`${field}.limits.${name}`, value))) {
        if (bound !== 'max' && bound !== 'multipleOf')
          bad(`${field}.limits.${name}.${bound}`, 'max or multipleOf');
        if (!Number.isSafeInteger(size) || (size as number) < 1) {
          bad(`${field}.limits.${name}.${bound}`, 'a positive integer');
        }
      }
    }
    for (const [name, values] of Object.entries(record(`${field}.attributes`, row.attributes ?? {}))) {
      if (!Array.isArray(values) || values.some((value) => typeof value !== 'string')) {
        bad(`${field}.attributes.${name}`, 'a list of strings');
      }
    }
  });
  return json as Capabilities;
}
