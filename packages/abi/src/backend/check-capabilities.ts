import { PocketError } from '../errors.js';
import { evaluateExtent, type OpDeclaration, ops, parseExtent } from '../ops/index.js';
import {
  type BoundSizes,
  type Call,
  inferCall,
  type Program,
  type Value,
  type Weight,
} from '../program/index.js';
import type { CacheFormat } from './cache.js';
import type { Capabilities, CapabilityRow } from './capabilities.js';

/**
 * Compares every call of a program with what a device claims to run. Fails with OP_UNSUPPORTED naming the
 * op, the format and the device, before any weight is read.
 */
export function checkCapabilities(program: Program, capabilities: Capabilities, device: string): void {
  const operands = new Map<string, Value | Weight>();
  for (const item of [...program.inputs, ...program.weights, ...program.values])
    operands.set(item.name, item);
  for (const call of program.calls) {
    const format = formatOf(call, operands);
    const rows = capabilities.ops.filter((row) => row.op === call.op);
    const sizes = sizesOf(call, operands);
    const reasons = rows.map((row) => mismatch(row, call, format, sizes));
    if (reasons.includes(undefined)) continue;
    throw new PocketError('OP_UNSUPPORTED', {
      device,
      op: call.op,
      format: format ?? 'f32',
      reason: reasons.join('; or ') || 'the op is not claimed',
    });
  }
}

/** Whether a device claims attention over a cache of this format. */
export function supportsCacheFormat(capabilities: Capabilities, format: CacheFormat): boolean {
  return capabilities.ops.some((row) => row.op === 'attention' && (row.caches ?? []).includes(format));
}

function formatOf(call: Call, operands: ReadonlyMap<string, Value | Weight>): string | undefined {
  const op: OpDeclaration = ops[call.op];
  if (call.op === 'encode') return call.attributes.format as string;
  const input = Object.entries(op.inputs).find(([, spec]) => spec.kind === 'weight')?.[0];
  const operand = input === undefined ? undefined : operands.get(call.inputs[input]!);
  return operand && 'format' in operand ? operand.format : undefined;
}

function sizesOf(call: Call, operands: ReadonlyMap<string, Value | Weight>): BoundSizes {
  const inputs = Object.entries(call.inputs).map(([input, name]) => [input, operands.get(name)] as const);
  return inferCall(ops[call.op], Object.fromEntries(inputs), call.attributes).sizes;
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
  for (const [name, { max, multipleOf }] of Object.entries(row.limits ?? {})) {
    const size = evaluateExtent(parseExtent(name), numbers);
    if (size === undefined) continue;
    if (max !== undefined && size > max) return `${name} is at most ${max}, not ${size}`;
    if (multipleOf !== undefined && size % multipleOf !== 0) {
      return `${name} is a multiple of ${multipleOf}, not ${size}`;
    }
  }
  return undefined;
}
