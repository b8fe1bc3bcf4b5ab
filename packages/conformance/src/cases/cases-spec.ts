import type { AttributeValue, SequenceSlice, WeightFormatName } from '@pocketllm/abi';
import type { Filler } from '../data/filler.js';
import type { CallData, Judge, Outputs, TermsOf } from './case.js';
import type { SizeList } from './lists.js';

export type Phase = SequenceSlice['phase'];
export type Fillers = Readonly<Record<string, Filler>>;

/** What is tried of an op. Its lists are walked together (see lists.ts). */
export interface CasesSpec {
  /** In place of the sizes in the names of cases, where they do not say what is shown. */
  readonly title?: string;
  /** Goes before the names of edges, where an op has several specs with the same ones. */
  readonly prefix?: string;
  /** Sizes by extent. */
  readonly sizes: Readonly<Record<string, SizeList>>;
  readonly attributes?: Readonly<Record<string, readonly AttributeValue[]>>;
  /** Sets of optional inputs to pass; none by default. */
  readonly optional?: readonly (readonly string[])[];
  /** How the rows are split into sequences, in place of `rows` in the sizes; one sequence by default. */
  readonly sequences?: readonly (readonly number[])[];
  /** The formats of the op's weight; all that files hold by default. */
  readonly formats?: readonly WeightFormatName[];
  /** Phases of the rows, where a backend may use other arithmetic for each; prefill alone by default. */
  readonly phases?: readonly Phase[];
  /** How operands are filled: by default activations with random values, vectors with gains. */
  readonly operands?: Fillers;
  /** Facts that hold for special values of some operands; tried at the middle of the sizes, with most rows. */
  readonly edges?: Readonly<Record<string, Fillers>>;
  /** What the errors of an output of floats grow from; one rounding where absent. */
  readonly terms?: Readonly<Record<string, TermsOf>>;
  /** Judges of outputs, in place of element by element. */
  readonly judges?: Readonly<Record<string, (call: CallData, expected: Outputs) => Judge>>;
  /** The inputs may not be NaN. */
  readonly finiteOnly?: true;
}
