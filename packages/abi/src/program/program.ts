import type { WeightFormatName } from '../formats/index.js';
import type { AttributeValue, OpName } from '../ops/index.js';

/** A size: fixed, or one of the two that change from step to step. */
export type Dimension = number | 'rows' | 'outputs';

/** What the elements of a value are: plain numbers, or blocks of a weight format. */
export type ElementType = 'f32' | 'i32' | WeightFormatName;

/** A tensor that a step computes or is given. Row-major; dimensions outermost first. */
export interface Value {
  readonly name: string;
  readonly type: ElementType;
  readonly dimensions: readonly Dimension[];
}

/** A tensor that is read once from the model. Row-major; the last dimension is a row of blocks. */
export interface Weight {
  readonly name: string;
  readonly format: WeightFormatName;
  readonly dimensions: readonly number[];
}

/** One layer of the paged cache. Sizes in elements. */
export interface CacheLayer {
  readonly name: string;
  readonly kvHeads: number;
  readonly headSize: number;
  readonly valueSize: number;
}

/** One op with its operands by name. Optional inputs that are absent have no entry. */
export interface Call {
  readonly op: OpName;
  /** Input name -> name of a value or weight. */
  readonly inputs: Readonly<Record<string, string>>;
  /** All attributes, defaults filled in. */
  readonly attributes: Readonly<Record<string, AttributeValue>>;
  /** Output name -> name of the value it defines. */
  readonly outputs: Readonly<Record<string, string>>;
  /** The cache layer, for ops that use one. */
  readonly cache?: string;
}

/**
 * A recorded computation, valid by construction: every call fits its op's declaration, and every name is
 * defined before it is used. Plain data; `JSON.stringify` writes it and `programFromJson` reads it back.
 */
export interface Program {
  readonly abi: 1;
  /** Values that a step supplies. */
  readonly inputs: readonly Value[];
  readonly weights: readonly Weight[];
  readonly caches: readonly CacheLayer[];
  /** Values that calls define, in the order of the calls. */
  readonly values: readonly Value[];
  readonly calls: readonly Call[];
  /** Output name -> name of the value. A step computes those it wants. */
  readonly outputs: Readonly<Record<string, string>>;
}
