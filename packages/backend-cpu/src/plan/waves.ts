import type { NativeOp } from './records.js';

/** Bytes of the arena: from <= byte < to. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** Kinds that share memory among threads from stage to stage, so that two of them must not overlap in time. */
const sharing: ReadonlySet<NativeOp['kind']> = new Set(['attention', 'matmulExperts']);

/**
 * Finds where threads must wait for each other: an op starts a wave where it reads what the wave so far writes,
 * or writes what the wave reads or writes.
 *
 * @param indices the ops of a step, in order
 * @param rangeOf where a value stands; undefined for a weight, which nobody writes
 */
export function startsOfWaves(
  ops: readonly NativeOp[],
  indices: readonly number[],
  rangeOf: (name: string) => ByteRange | undefined,
): Uint8Array {
  let reads: ByteRange[] = [];
  let writes: ByteRange[] = [];
  return Uint8Array.from(indices, (index) => {
    const op = ops[index]!;
    const rangesOf = (names: readonly (string | undefined)[]) =>
      names.flatMap((name) => (name === undefined ? [] : (rangeOf(name) ?? [])));
    const input = rangesOf(op.inputs);
    const output = rangesOf(op.outputs);
    const starts =
      sharing.has(op.kind) || overlap(input, writes) || overlap(output, writes) || overlap(output, reads);
    if (starts) {
      reads = [];
      writes = [];
    }
    reads.push(...input);
    writes.push(...output);
    return starts ? 1 : 0;
  });
}

const overlap = (some: readonly ByteRange[], others: readonly ByteRange[]): boolean =>
  some.some((a) => others.some((b) => a.from < b.to && b.from < a.to));
