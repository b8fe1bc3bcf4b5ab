import type { SequenceSlice } from '@pocketllm/abi';
import type { CacheRows } from '../cache-rows.js';
import type { StoredWeight } from '../weights.js';

/** Computes one op: writes every element of its outputs, whatever stood there before. */
export type Kernel = (call: KernelCall) => void | Promise<void>;

/** One call in one step. Names are those of the op's declaration in the ABI; arrays are row-major. */
export interface KernelCall {
  /** An activation or a vector of weights, as input or output. */
  floats(name: string): Float32Array;
  /** The same for an input that the call may lack. */
  optional(name: string): Float32Array | undefined;
  /** Indices, as input or output. */
  integers(name: string): Int32Array;
  /** A matrix of weights in any format. */
  weight(name: string): StoredWeight;
  /** A size (`rows`, `cols`), or an attribute that is a number. */
  number(name: string): number;
  /** An attribute that is one of several words. */
  choice(name: string): string;
  /** The sequences that the rows belong to, one after another. */
  readonly sequences: readonly SequenceSlice[];
  /** The layer of the cache that the call is about. */
  layer(): { readonly keys: CacheRows; readonly values: CacheRows };
  /** To be awaited every few hundred microseconds of work: other work gets its turn, and a step can end here. */
  pause(): Promise<void>;
}
