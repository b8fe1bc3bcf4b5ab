import type { Dimension } from '@pocketllm/abi';

/** How native code cuts up the work of an op: OpKind in native/engine/plan.h. */
export const kinds = { range: 0, matmul: 1, matmulExperts: 2, attention: 3, attentionFull: 4 } as const;

/** What native code reads about one op. */
export interface NativeOp {
  readonly kind: keyof typeof kinds;
  /** The folder of its kernels. */
  readonly op: string;
  /** GGUF type id of the kernel's format. */
  readonly format: number;
  /** Names of values and weights in the order of the op's declaration; undefined where absent. */
  readonly inputs: readonly (string | undefined)[];
  readonly outputs: readonly string[];
  /** In the order of the enums in the kernel's header. */
  readonly sizes?: readonly Dimension[];
  readonly attributes?: readonly number[];
  /** Of range kernels: leading * each units, a portion at a time. */
  readonly units?: { readonly leading: Dimension; readonly each: number; readonly portion: number };
  readonly cacheLayer?: number;
}

const recordNumbers = 27;
const slots = { inputs: 6, outputs: 2, sizes: 6, attributes: 6 };

/** Writes ops as native/engine/plan.cpp reads them; `places` numbers values from 0 and weights from 0. */
export function writeRecords(
  ops: readonly NativeOp[],
  opNames: readonly string[],
  places: { values: ReadonlyMap<string, number>; weights: ReadonlyMap<string, number> },
): Float64Array {
  const reference = (name: string | undefined): number => {
    if (name === undefined) return 0;
    const value = places.values.get(name);
    return value === undefined ? -places.weights.get(name)! - 1 : value + 1;
  };
  const records = new Float64Array(ops.length * recordNumbers);
  ops.forEach((op, index) => {
    const { leading, each, portion } = op.units ?? { leading: 0, each: 0, portion: 1 };
    records.set(
      [
        kinds[op.kind],
        opNames.indexOf(op.op),
        op.format,
        ...padded(op.inputs.map(reference), slots.inputs),
        ...padded(op.outputs.map(reference), slots.outputs),
        ...padded((op.sizes ?? []).map(encodeSize), slots.sizes),
        ...padded(op.attributes ?? [], slots.attributes),
        encodeSize(leading),
        each,
        portion,
        op.cacheLayer ?? -1,
      ],
      index * recordNumbers,
    );
  });
  return records;
}

/** kStepRows and kStepOutputs of native/engine/plan.h. */
const encodeSize = (size: Dimension): number => (size === 'rows' ? -1 : size === 'outputs' ? -2 : size);

function padded(numbers: readonly number[], length: number): number[] {
  if (numbers.length > length)
    throw new TypeError(`an op has ${numbers.length} of at most ${length} numbers`);
  return [...numbers, ...Array<number>(length - numbers.length).fill(0)];
}
