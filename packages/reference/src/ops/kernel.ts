import type { AttributeSpec, OpName, Ops, SequenceSlice, TensorSpec } from '@pocketllm/abi';
import type { LayerPlanes } from '../cache-plane.js';
import type { Scratch } from '../scratch.js';

/**
 * Computes one op. Writes every element of its outputs, whatever they held before. A kernel with much to do
 * is a generator and yields every few milliseconds at most where it can: there the executor may let other
 * work run, or end the step.
 */
export type Kernel<Name extends OpName> = (call: KernelCall<Name>) => Iterable<void> | void;

/** One call with everything it reads and writes, typed after the op's declaration. */
export interface KernelCall<Name extends OpName> {
  /** Row-major. Weights of every format arrive decoded. */
  readonly inputs: {
    readonly [Input in keyof Ops[Name]['inputs']]:
      | ElementsOf<Ops[Name]['inputs'][Input]>
      | (Ops[Name]['inputs'][Input] extends { optional: true } ? undefined : never);
  };
  readonly outputs: {
    readonly [Output in keyof Ops[Name]['outputs']]: ElementsOf<Ops[Name]['outputs'][Output]>;
  };
  readonly attributes: {
    readonly [Attribute in keyof Ops[Name]['attributes']]: AttributeOf<Ops[Name]['attributes'][Attribute]>;
  };
  /** Every extent of the declaration, in this step. */
  readonly sizes: Readonly<Record<SizeName<Ops[Name]> & string, number>>;
  /** Rows of one sequence after the other, all rows of the call together. For ops that use sequences. */
  readonly sequences: readonly SequenceSlice[];
  /** The call's layer of the cache. For ops that use one. */
  readonly cache: LayerPlanes;
  readonly scratch: Scratch;
}

type ElementsOf<Spec> = Spec extends { kind: 'encoded' }
  ? Uint8Array
  : Spec extends { kind: 'indices' }
    ? Int32Array
    : Spec extends TensorSpec
      ? Float32Array
      : never;

type AttributeOf<Spec> = Spec extends { type: 'choice'; of: readonly (infer Choice)[] }
  ? Choice
  : Spec extends AttributeSpec
    ? number
    : never;

type SizeName<Op extends { inputs: object; outputs: object }> =
  | NamesIn<ExtentsOf<Op['inputs']>>
  | NamesIn<ExtentsOf<Op['outputs']>>;

type ExtentsOf<Specs extends object> = Specs[keyof Specs] extends { extents: readonly (infer Extent)[] }
  ? Extent
  : never;

/** The names in an extent: 'heads' and 'headSize' of 'heads*headSize'. */
type NamesIn<Extent> = Extent extends `ceil(${infer Inner})`
  ? NamesIn<Inner>
  : Extent extends `${infer Left}*${infer Right}`
    ? NamesIn<Left> | NamesIn<Right>
    : Extent extends `${infer Left}/${infer Right}`
      ? NamesIn<Left> | NamesIn<Right>
      : Extent extends `${number}`
        ? never
        : Extent;
