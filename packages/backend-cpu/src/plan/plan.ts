import { type Program, type Step, sizeIn } from '@pocketllm/abi';
import { placeInArena } from './arena.js';
import { type LoweredProgram, type LoweringOptions, lowerProgram, type NativeValue } from './lower.js';
import { type NativeOp, writeRecords } from './records.js';
import { startsOfWaves } from './waves.js';

type StepSizes = Pick<Step, 'rows' | 'outputs'>;

/** A program as native code runs it. */
export interface Plan {
  readonly records: Float64Array;
  readonly opNames: readonly string[];
  /** Bytes from the start of the arena, by the number of the value. */
  readonly valueOffsets: Float64Array;
  readonly arenaBytes: number;
  /** Name -> number. */
  readonly values: ReadonlyMap<string, number>;
  readonly weights: ReadonlyMap<string, number>;
  /** The ops that these values rest on, and those that write the cache. */
  opsFor(wanted: readonly string[]): StepOps;
}

/** Ops of a step, in order. Those of one wave neither read nor overwrite what another of them writes. */
export interface StepOps {
  readonly ops: Int32Array;
  /** For each of them whether it starts a wave: all before it must be done. */
  readonly startsWave: Uint8Array;
}

/** Compiles a program for steps of at most these sizes. */
export function makePlan(program: Program, largest: StepSizes, options: LoweringOptions): Plan {
  const lowered = lowerProgram(program, options);
  const used = new Set(program.calls.flatMap(({ inputs }) => Object.values(inputs)));
  const names = program.weights.map(({ name }) => name).filter((name) => used.has(name));
  const weights = new Map(names.map((name, index) => [name, index]));
  const arena = placeValues(program, lowered, largest);
  const values = new Map(arena.values.map(({ name }, index) => [name, index]));
  const opNames = [...new Set(lowered.ops.map(({ op }) => op))];
  return {
    records: writeRecords(lowered.ops, opNames, { values, weights }),
    opNames,
    valueOffsets: Float64Array.from(arena.offsets),
    arenaBytes: arena.bytes,
    values,
    weights,
    opsFor(wanted) {
      const ops = opsFor(lowered.ops, wanted);
      return { ops: Int32Array.from(ops), startsWave: startsOfWaves(lowered.ops, ops, arena.rangeOf) };
    },
  };
}

/** Elements of a tensor in a step of these sizes. */
export const elementsIn = (step: StepSizes, dimensions: NativeValue['dimensions']): number =>
  dimensions.reduce<number>((product, dimension) => product * sizeIn(step, dimension), 1);

/** Keeps each value from the op that defines it to the last that reads it; outputs to the end of the step. */
function placeValues(program: Program, { values, ops }: LoweredProgram, largest: StepSizes) {
  const first = new Map(program.inputs.map(({ name }) => [name, 0]));
  const last = new Map(first);
  ops.forEach(({ inputs, outputs }, index) => {
    for (const name of outputs) first.set(name, index);
    for (const name of [...inputs, ...outputs]) if (name !== undefined) last.set(name, index);
  });
  for (const name of Object.values(program.outputs)) last.set(name, ops.length);
  const ordered = values.toSorted((a, b) => first.get(a.name)! - first.get(b.name)!);
  const lifetimes = ordered.map(({ name, dimensions, elementBytes }) => ({
    bytes: elementsIn(largest, dimensions) * elementBytes,
    from: first.get(name)!,
    to: last.get(name)!,
  }));
  const arena = placeInArena(lifetimes);
  const ranges = new Map(
    ordered.map(({ name }, index) => {
      const from = arena.offsets[index]!;
      return [name, { from, to: from + lifetimes[index]!.bytes }];
    }),
  );
  return { ...arena, values: ordered, rangeOf: (name: string) => ranges.get(name) };
}

function opsFor(ops: readonly NativeOp[], wanted: readonly string[]): number[] {
  const needed = new Set(wanted);
  const indices: number[] = [];
  for (let index = ops.length - 1; index >= 0; index--) {
    const { inputs, outputs, cacheLayer } = ops[index]!;
    if (cacheLayer === undefined && !outputs.some((name) => needed.has(name))) continue;
    for (const name of inputs) if (name !== undefined) needed.add(name);
    indices.push(index);
  }
  return indices.reverse();
}
