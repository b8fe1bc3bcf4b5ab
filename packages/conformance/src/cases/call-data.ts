import type { OpDeclaration, SequenceSlice, TensorSpec } from '@pocketllm/abi';
import { decodeRow } from '@pocketllm/reference';
import { type Filler, gains, normal } from '../data/filler.js';
import { Random } from '../data/random.js';
import { randomBlocks } from '../data/random-blocks.js';
import { type CallShape, elementsOf, keptOutput } from './call-program.js';
import type { CallData, CaseData, Judge, Outputs } from './case.js';
import type { CasesSpec, Phase } from './cases-spec.js';
import { judgeExactly, judgeFloats } from './judges.js';
import type { Variant } from './variants.js';

/** Makes the weights and inputs of a variant, and its judges. */
export function dataOf(spec: CasesSpec, variant: Variant): CaseData {
  const { shape, sequences, phase, name } = variant;
  const { op, sizes, attributes, format, operands, sameAs = {} } = shape;
  const random = new Random(`${op.name} ${format} ${name}`);
  const weights: Record<string, Uint8Array> = {};
  const inputs: Record<string, Float32Array | Int32Array> = {};
  const values: Record<string, Float32Array | Int32Array> = {};
  const fill = (input: string, filler: Filler) =>
    filler({ count: elementsOf(op.inputs[input]!, sizes), random, sizes, attributes, values });
  const ofKind = (...kinds: readonly TensorSpec['kind'][]) =>
    operands.filter((input) => kinds.includes(op.inputs[input]!.kind));

  // Weights first, so that an activation can be made for them.
  for (const input of ofKind('weight')) {
    const floats = new Float32Array(elementsOf(op.inputs[input]!, sizes));
    weights[input] = randomBlocks(format!, floats.length, random);
    decodeRow(format!, weights[input], floats);
    values[input] = floats;
  }
  for (const input of ofKind('vector')) {
    const floats = fill(input, variant.fillers[input] ?? gains);
    weights[input] = new Uint8Array(floats.buffer);
    values[input] = floats;
  }
  for (const input of ofKind('activation', 'indices')) {
    const source = sameAs[input];
    if (source === undefined) inputs[input] = fill(input, variant.fillers[input] ?? normal);
    values[input] = source === undefined ? inputs[input]! : values[source]!;
  }
  const call: CallData = { sizes, attributes, inputs: values, format, sequences };
  const slices = slicesOf(sequences, phase);
  return {
    weights,
    steps: [{ rows: sizes.rows ?? 0, outputs: sizes.selected ?? 0, sequences: slices, inputs }],
    judges: (_step, expected) => judgesOf(shape, spec, call, expected),
  };
}

/** A prompt is a sequence of its rows; an answer goes on by one row in each sequence. */
function slicesOf(sequences: readonly number[], phase: Phase): SequenceSlice[] {
  const lengths = phase === 'decode' ? sequences.flatMap((rows) => Array<number>(rows).fill(1)) : sequences;
  return lengths.filter((rows) => rows > 0).map((rows) => ({ rows, start: 0, pages: [], phase }));
}

function judgesOf(
  { op, kept = [] }: CallShape,
  spec: CasesSpec,
  call: CallData,
  expected: Outputs,
): Record<string, Judge> {
  const { tolerance, outputs }: OpDeclaration = op;
  const judges: Record<string, Judge> = {};
  for (const name of Object.keys(outputs)) {
    const result = expected[name]!;
    const own = spec.judges?.[name];
    if (own) judges[name] = own(call, expected);
    else if (result instanceof Float32Array) {
      judges[name] = judgeFloats(result, tolerance, spec.terms?.[name]?.(call, result));
    } else judges[name] = judgeExactly(result);
  }
  for (const name of kept) judges[keptOutput(name)] = judgeExactly(call.inputs[name]!);
  return judges;
}
