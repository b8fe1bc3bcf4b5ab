import type { CacheFormat, CacheLayer, Dimension, OpDeclaration, Value, Weight } from '@pocketllm/abi';
import {
  type BoundSizes,
  type Call,
  callSizes,
  ops,
  type Program,
  rowBytes,
  weightFormats,
} from '@pocketllm/abi';

/** What a step asks of a device at least. */
export interface Work {
  /** Multiplications and additions, counted apart. */
  readonly flops: number;
  /** Read and written. */
  readonly bytes: number;
}

/** Sequences of one length each: `rows` of a step behind `start` positions. */
export interface StepShape {
  readonly sequences: number;
  readonly rows: number;
  readonly start: number;
  readonly outputs: number;
  readonly wanted: readonly string[];
}

/** The work of a step, from what each op declares as its cost. */
export function workOfStep(program: Program, cacheFormat: CacheFormat, shape: StepShape): Work {
  const operands = new Map<string, Value | Weight>(
    [...program.inputs, ...program.weights, ...program.values].map((operand) => [operand.name, operand]),
  );
  const dimension = (size: Dimension) =>
    size === 'rows' ? shape.sequences * shape.rows : size === 'outputs' ? shape.outputs : size;
  const bytesOf = (name: string) => bytesOfOperand(operands.get(name)!, dimension);
  const sizes = callSizes(program);
  let flops = 0;
  let bytes = 0;
  for (const index of callsOf(program, shape.wanted)) {
    const call = program.calls[index]!;
    const bound = boundSizes(sizes[index]!, dimension);
    const layer = program.caches.find(({ name }) => name === call.cache);
    const context = layer ? contextOf(call, shape) : { mean: bound.rows ?? 0, read: 0 };
    const operation: OpDeclaration = ops[call.op];
    const all = { ...bound, context: context.mean };
    flops += operation.cost.flops(all);
    const named = { ...call.inputs, ...call.outputs };
    bytes += operation.cost.bytes
      ? operation.cost.bytes(all, (operand) => (named[operand] === undefined ? 0 : bytesOf(named[operand])))
      : Object.values(named).reduce((sum, name) => sum + bytesOf(name), 0);
    if (layer) bytes += shape.sequences * context.read * bytesOfPosition(layer, cacheFormat);
  }
  return { flops, bytes };
}

/** The calls that a step cannot leave out, as `Step.wanted` says. */
function callsOf({ calls, outputs }: Program, wanted: readonly string[]): number[] {
  const needed = new Set(wanted.map((output) => outputs[output]));
  const kept: number[] = [];
  for (let index = calls.length - 1; index >= 0; index--) {
    const call = calls[index]!;
    if (call.cache === undefined && !Object.values(call.outputs).some((name) => needed.has(name))) continue;
    for (const name of Object.values(call.inputs)) needed.add(name);
    kept.push(index);
  }
  return kept.reverse();
}

/** Positions that a row attends to in the mean, and those that a sequence reads at least once. */
function contextOf({ attributes }: Call, { rows, start }: StepShape): { mean: number; read: number } {
  const window = Number(attributes.window) || Number.POSITIVE_INFINITY;
  return {
    mean: Math.min(start + (rows + 1) / 2, window),
    read: Math.min(start + rows, window + rows - 1),
  };
}

function bytesOfOperand(operand: Value | Weight, sizeOf: (size: Dimension) => number): number {
  const elements = operand.dimensions.map(sizeOf);
  const rows = elements.slice(0, -1).reduce((product, size) => product * size, 1);
  const type = 'format' in operand ? operand.format : operand.type;
  return type === 'i32'
    ? 4 * rows * elements.at(-1)!
    : rows * rowBytes(weightFormats[type], elements.at(-1)!)!;
}

const boundSizes = (sizes: BoundSizes, sizeOf: (size: Dimension) => number): Record<string, number> =>
  Object.fromEntries(Object.entries(sizes).map(([name, size]) => [name, sizeOf(size)]));

/** Of keys and values together. */
function bytesOfPosition({ kvHeads, headSize, valueSize }: CacheLayer, format: CacheFormat): number {
  const { block } = weightFormats[format];
  return (kvHeads * (headSize + valueSize) * block.bytes) / block.weights;
}
