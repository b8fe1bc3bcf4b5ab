import { PocketError } from '../errors.js';
import { evaluateExtent, type OpDeclaration, ops, parseExtent, type Sizes } from '../ops/index.js';
import { type BoundSizes, type Call, callSizes, type Program } from '../program/index.js';
import type { CacheFormat, CacheSpec } from './cache.js';
import type { Capabilities, CapabilityRow } from './capabilities.js';

/**
 * Compares every call of a program with what a device claims to run. Fails with OP_UNSUPPORTED naming the
 * op, the format and the device, before any weight is read.
 */
export function checkCapabilities(program: Program, capabilities: Capabilities, device: string): void {
  const formats = new Map(program.weights.map(({ name, format }) => [name, format]));
  const sizes = callSizes(program);
  program.calls.forEach((call, index) => {
    const format = formatOf(call, formats);
    const rows = capabilities.ops.filter((row) => row.op === call.op);
    const reasons = rows.map((row) => mismatch(row, call, format, sizes[index]!));
    if (reasons.includes(undefined)) return;
    throw new PocketError('OP_UNSUPPORTED', {
      device,
      op: call.op,
      format: format ?? 'f32',
      reason: reasons.join('; or ') || 'the op is not claimed',
    });
  });
}

/**
 * Compares a cache with the rows of attention that a device claims. Fails with OP_UNSUPPORTED naming the
 * format of the cache. A backend calls it in `createCache`.
 */
export function checkCacheSpec(spec: CacheSpec, capabilities: Capabilities, device: string): void {
  const rows = capabilities.ops.filter(
    ({ op, caches }) => op === 'attention' && caches?.includes(spec.format),
  );
  for (const { name, ...sizes } of spec.layers) {
    const reasons = rows.map((row) => limitMismatch(row, sizes));
    if (reasons.includes(undefined)) continue;
    throw new PocketError('OP_UNSUPPORTED', {
      device,
      op: 'attention',
      format: spec.format,
      reason: reasons.length > 0 ? `${name}: ${reasons.join('; or ')}` : 'no cache of this format is claimed',
    });
  }
}

/** Whether a device claims attention over a cache of this format. */
export function supportsCacheFormat(capabilities: Capabilities, format: CacheFormat): boolean {
  return capabilities.ops.some((row) => row.op === 'attention' && (row.caches ?? []).includes(format));
}

/** The format that a call is about: of its weights, or of what it encodes. */
function formatOf(call: Call, formats: ReadonlyMap<string, string>): string | undefined {
  const op: OpDeclaration = ops[call.op];
  if (call.op === 'encode') return call.attributes.format as string;
  const input = Object.entries(op.inputs).find(([, spec]) => spec.kind === 'weight')?.[0];
  return input === undefined ? undefined : formats.get(call.inputs[input]!);
}

function mismatch(
  row: CapabilityRow,
  call: Call,
  format: string | undefined,
  sizes: BoundSizes,
): string | undefined {
  if (format !== undefined && !(row.formats as readonly string[] | undefined)?.includes(format)) {
    return `formats are ${row.formats?.join(', ') || 'none'}`;
  }
  for (const [name, values] of Object.entries(row.attributes ?? {})) {
    if (!values.includes(String(call.attributes[name]))) return `${name} is one of ${values.join(', ')}`;
  }
  const numbers = Object.fromEntries(
    Object.entries(sizes).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
  return limitMismatch(row, numbers);
}

function limitMismatch(row: CapabilityRow, sizes: Sizes): string | undefined {
  for (const [name, { max, multipleOf }] of Object.entries(row.limits ?? {})) {
    const size = evaluateExtent(parseExtent(name), sizes);
    if (size === undefined) continue;
    if (max !== undefined && size > max) return `${name} is at most ${max}, not ${size}`;
    if (multipleOf !== undefined && size % multipleOf !== 0) {
      return `${name} is a multiple of ${multipleOf}, not ${size}`;
    }
  }
  return undefined;
}
