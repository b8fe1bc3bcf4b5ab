import type { AttributeSpec } from './attribute-spec.js';
import { parseExtent } from './extents.js';
import type { TensorSpec } from './tensor-spec.js';

/**
 * How far a right answer may lie from the reference, as a property of the op. The conformance kit turns it
 * into a bound for each element: rounding of sums in f32 grows with the length of the sum.
 */
export interface Tolerance {
  /** The extent that the longest sum runs over; absent where nothing is summed. */
  readonly sumsOver?: string;
  /** Relative error of the elementary functions used (exp, tanh, sin, ...). */
  readonly functions?: number;
  /**
   * The activation that a kernel may round before it multiplies: to 8 bits in blocks of 32 where the
   * weight is in a block format, to bf16 where the weight is f16 or bf16, not at all where it is f32.
   */
  readonly rounds?: string;
}

/** Sizes of a call by extent name, integer attributes included. */
export type Sizes = Readonly<Record<string, number>>;

export interface Cost {
  /** Multiplications and additions, counted apart. */
  readonly flops: (sizes: Sizes) => number;
  /**
   * Bytes that must be read and written at least, where that is not the sum of all inputs and outputs.
   * `bytesOf` gives the whole size of an input or output by name.
   */
  readonly bytes?: (sizes: Sizes, bytesOf: (name: string) => number) => number;
}

/** `left` and `right` are extents or integers: `kvHeads divides heads`, `k at most cols`. */
export interface Constraint {
  readonly left: string;
  readonly relation: 'divides' | 'at most';
  readonly right: string;
}

/** One call that stands in for a merged op: inputs and attributes name those of the merged op with `$`. */
export interface DecompositionStep {
  readonly op: string;
  readonly inputs: Readonly<Record<string, string>>;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly output: string;
}

export interface OpDeclaration {
  /** Snake case; final once published. */
  readonly name: string;
  /** The number in native code; final once published. */
  readonly number: number;
  /** The ABI version that first had it. */
  readonly since: 1;
  /** One sentence, for listings. */
  readonly summary: string;
  /** The formula in plain text, as in the docstring. */
  readonly formula: string;
  readonly inputs: Readonly<Record<string, TensorSpec>>;
  readonly outputs: Readonly<Record<string, TensorSpec>>;
  readonly attributes: Readonly<Record<string, AttributeSpec>>;
  /** The op reads and extends one layer of the paged cache. */
  readonly usesCache?: true;
  /** The rows of one sequence see each other. */
  readonly usesSequences?: true;
  /** Inputs whose buffer an output may share, element for element. Nothing else may overlap. */
  readonly mayAlias: readonly string[];
  readonly tolerance: Tolerance;
  readonly cost: Cost;
  /** Relations between sizes that a call must keep. */
  readonly constraints?: readonly Constraint[];
  /** What a merged op stands for; `$name` refers to the merged call, other names to earlier steps. */
  readonly decomposition?: readonly DecompositionStep[];
}

/** Freezes a declaration after checking that every extent can be bound and no two names clash. */
export function defineOp<const D extends OpDeclaration>(op: D): D {
  const specs = { ...op.inputs, ...op.outputs };
  const operands = Object.keys(op.inputs).length + Object.keys(op.outputs).length;
  if (Object.keys({ ...specs, ...op.attributes }).length !== operands + Object.keys(op.attributes).length) {
    throw new TypeError(`${op.name} uses one name for two of its inputs, outputs and attributes`);
  }
  const bindable = new Set(Object.keys(op.attributes));
  for (const spec of Object.values<TensorSpec>(op.inputs)) {
    for (const extent of spec.extents) for (const name of parseExtent(extent).names) bindable.add(name);
  }
  for (const spec of Object.values<TensorSpec>(op.outputs)) {
    for (const extent of spec.extents) {
      const unbound = parseExtent(extent).names.find((name) => !bindable.has(name));
      if (unbound) throw new TypeError(`${op.name} has no input or attribute that sizes '${unbound}'`);
    }
  }
  return Object.freeze(op);
}
