import {
  type AttributeValue,
  type Dimension,
  type OpDeclaration,
  type OpName,
  ops,
  ProgramBuilder,
  type SequenceSlice,
  type Value,
  type Weight,
  type WeightFormatName,
} from '@pocketllm/abi';
import plugin from '../src/index.js';
import { memoryWeights } from './memory-weights.js';

/** Numbers in nested lists, outermost dimension first. */
export type Nested = readonly (number | Nested)[];

/** A weight in the bytes of a format. */
export interface StoredWeight {
  readonly format: WeightFormatName;
  readonly dimensions: readonly number[];
  readonly bytes: Uint8Array;
}

interface OpOptions {
  readonly attributes?: Readonly<Record<string, AttributeValue>>;
  /** Sequences of the step, of these numbers of rows. */
  readonly sequences?: readonly number[];
}

/** Runs one op of the reference backend, as a program of its own. Gives each output as a list of its rows. */
export async function runOp(
  name: OpName,
  operands: Readonly<Record<string, Nested | StoredWeight>>,
  { attributes = {}, sequences = [] }: OpOptions = {},
): Promise<Record<string, number[][]>> {
  const op: OpDeclaration = ops[name];
  const p = new ProgramBuilder();
  const recorded: Record<string, Value | Weight> = {};
  const inputs: Record<string, Float32Array | Int32Array> = {};
  const weights: Record<string, readonly number[] | Uint8Array> = {};
  const step: Record<'rows' | 'outputs', number> = { rows: 0, outputs: 0 };
  for (const [operand, given] of Object.entries(operands)) {
    const { kind, extents } = op.inputs[operand]!;
    if (!isNested(given)) {
      weights[operand] = given.bytes;
      recorded[operand] = p.weight(operand, given.format, given.dimensions);
      continue;
    }
    const data = flatten(given);
    const shape = shapeOf(given);
    if (kind === 'weight' || kind === 'vector') {
      weights[operand] = data;
      recorded[operand] = p.weight(operand, 'f32', shape);
      continue;
    }
    const changing = ({ rows: 'rows', selected: 'outputs' } as const)[extents[0] ?? ''];
    if (changing) step[changing] = shape[0]!;
    const dimensions: Dimension[] = changing ? [changing, ...shape.slice(1)] : shape;
    inputs[operand] = kind === 'indices' ? Int32Array.from(data) : Float32Array.from(data);
    recorded[operand] = p.input(operand, kind === 'indices' ? 'i32' : 'f32', dimensions);
  }
  const results = p.call(name, recorded, attributes);
  for (const [output, value] of Object.entries(results)) p.output(output, value);

  const backend = await plugin.open('reference');
  const executable = await backend.prepare(p.build(), memoryWeights(weights), {
    maxRows: step.rows,
    maxOutputs: step.outputs,
  });
  const slices = sequences.map((rows): SequenceSlice => ({ rows, start: 0, pages: [], phase: 'prefill' }));
  const { outputs } = await executable.run({ ...step, sequences: slices, inputs });
  await backend.close();
  return Object.fromEntries(
    Object.entries(results).map(([output, { type, dimensions }]) => {
      const row = type === 'f32' || type === 'i32' ? (dimensions.at(-1) as number) : undefined;
      return [output, rowsOf([...outputs[output]!], row)];
    }),
  );
}

const isNested = (operand: Nested | StoredWeight): operand is Nested => Array.isArray(operand);

const flatten = (nested: Nested): number[] =>
  nested.flatMap((item) => (typeof item === 'number' ? [item] : flatten(item)));

function shapeOf(nested: Nested): number[] {
  const [first] = nested;
  return [nested.length, ...(typeof first === 'object' ? shapeOf(first) : [])];
}

function rowsOf(flat: number[], length = flat.length): number[][] {
  const count = flat.length === 0 ? 0 : flat.length / length;
  return Array.from({ length: count }, (_, r) => flat.slice(r * length, (r + 1) * length));
}
