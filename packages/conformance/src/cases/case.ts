import type {
  AttributeValue,
  CacheFormat,
  OpName,
  Program,
  Sizes,
  Step,
  WeightFormatName,
} from '@pocketllm/abi';
import type { Terms } from '../tolerance.js';

export type Elements = Float32Array | Int32Array | Uint8Array;
export type Outputs = Readonly<Record<string, Elements>>;
/** A step without its cache, which is the backend's. */
export type CaseStep = Omit<Step, 'cache'>;

/** Says what is wrong with an output; undefined where it is right. */
export type Judge = (actual: Elements) => string | undefined;

/** A program with everything that is needed to run it and to judge what comes out. */
export interface Case {
  readonly op: OpName;
  /** The format of its weights, of its cache or of what it encodes; absent where the op has none. */
  readonly format?: WeightFormatName | CacheFormat;
  /** Unique within the op and the format. */
  readonly name: string;
  readonly program: Program;
  readonly cache?: { readonly pages: number; readonly format: CacheFormat };
  readonly maxRows: number;
  readonly maxOutputs: number;
  /** The inputs may not be NaN. */
  readonly finiteOnly?: true;
  /** The same data each time. */
  make(): CaseData;
}

export interface CaseData {
  /** Bytes of each weight of the program. */
  readonly weights: Readonly<Record<string, Uint8Array>>;
  readonly steps: readonly CaseStep[];
  /** A judge for each output of a step, given what the reference gives there. */
  judges(step: number, expected: Outputs): Readonly<Record<string, Judge>>;
}

/** One call with its operands; weights decoded. */
export interface CallData {
  /** Of every extent and integer attribute. */
  readonly sizes: Sizes;
  readonly attributes: Readonly<Record<string, AttributeValue>>;
  readonly inputs: Readonly<Record<string, Float32Array | Int32Array>>;
  readonly format: WeightFormatName | undefined;
  /** Rows of each sequence. */
  readonly sequences: readonly number[];
}

/** For one output of a call: what the error of the element at an index may grow from. */
export type TermsOf = (call: CallData, expected: Float32Array) => (index: number) => Terms;

export const floatsOf = (call: CallData, input: string): Float32Array => call.inputs[input] as Float32Array;
