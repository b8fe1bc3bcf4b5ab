import {
  type BoundSizes,
  type Call,
  callSizes,
  type Dimension,
  type OpDeclaration,
  ops,
  type Program,
  rowBytes,
  type Value,
  type Weight,
  weightFormats,
} from '@pocketllm/abi';
import { lowerings } from './lowerings.js';
import type { NativeOp } from './records.js';

/** A value that native code computes: the program's own, and those shared by several ops. */
export interface NativeValue {
  readonly name: string;
  readonly dimensions: readonly Dimension[];
  readonly elementBytes: number;
}

export interface LoweredProgram {
  readonly values: readonly NativeValue[];
  readonly ops: readonly NativeOp[];
}

export interface LoweringOptions {
  readonly device: string;
  /** Whether matmuls with weights in blocks read activations that quantize_rows has rounded for them. */
  readonly quantizesActivations: boolean;
  /** Whether those with weights in f16 and bf16 do. */
  readonly splitsActivations: boolean;
}

/** One call, and the means to add native ops for it. */
export interface LoweringContext {
  readonly call: Call;
  readonly sizes: BoundSizes;
  readonly program: Program;
  readonly options: LoweringOptions;
  weight(input: string): Weight;
  /** A size that is the same in every step. */
  fixed(size: string): number;
  /** The place of a choice in its attribute's list. */
  choice(attribute: string): number;
  number(attribute: string): number;
  /** Adds the op of the call itself; inputs and outputs are those of the call unless given. */
  emit(op: Omit<NativeOp, 'inputs' | 'outputs'> & Partial<Pick<NativeOp, 'inputs' | 'outputs'>>): void;
  /** The value of an op that several calls share: added where it is not there yet. */
  share(value: NativeValue, op: Omit<NativeOp, 'outputs'>): string;
}

/** Turns the calls of a program into ops of native code. */
export function lowerProgram(program: Program, options: LoweringOptions): LoweredProgram {
  const values: NativeValue[] = program.inputs.map(nativeValueOf);
  const nativeOps: NativeOp[] = [];
  const shared = new Set<string>();
  const weights = new Map(program.weights.map((weight) => [weight.name, weight]));
  const results = new Map(program.values.map((value) => [value.name, value]));
  const sizes = callSizes(program);
  program.calls.forEach((call, index) => {
    const declaration: OpDeclaration = ops[call.op];
    const inputs = Object.keys(declaration.inputs).map((name) => call.inputs[name]);
    const outputs = Object.keys(declaration.outputs).map((name) => call.outputs[name]!);
    for (const name of outputs) values.push(nativeValueOf(results.get(name)!));
    lowerings[call.op]({
      call,
      sizes: sizes[index]!,
      program,
      options,
      weight: (input) => weights.get(call.inputs[input]!)!,
      fixed: (size) => sizes[index]![size] as number,
      choice: (attribute) => choiceOf(declaration, attribute, call),
      number: (attribute) => call.attributes[attribute] as number,
      emit: (op) => nativeOps.push({ inputs, outputs, ...op }),
      share(value, op) {
        if (!shared.has(value.name)) {
          shared.add(value.name);
          values.push(value);
          nativeOps.push({ ...op, outputs: [value.name] });
        }
        return value.name;
      },
    });
  });
  return { values, ops: nativeOps };
}

/** As native code keeps a value of a program: encoded rows are bytes. */
export function nativeValueOf({ name, type, dimensions }: Value): NativeValue {
  if (type === 'f32' || type === 'i32') return { name, dimensions, elementBytes: 4 };
  const row = rowBytes(weightFormats[type], dimensions.at(-1) as number)!;
  return { name, dimensions: [...dimensions.slice(0, -1), row], elementBytes: 1 };
}

function choiceOf(declaration: OpDeclaration, attribute: string, call: Call): number {
  const spec = declaration.attributes[attribute];
  return spec?.type === 'choice' ? spec.of.indexOf(call.attributes[attribute] as string) : 0;
}

/** The format of kernels that read no weight. */
export const plainFormat = weightFormats.f32.ggufType;
