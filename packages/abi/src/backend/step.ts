import type { Cache } from './cache.js';

/** The rows of one sequence in a step. Rows of a step stand sequence after sequence. */
export interface SequenceSlice {
  /** Token rows of this sequence in this step, at least 1. */
  readonly rows: number;
  /** Positions of the sequence that are in the cache already; the first row has this position. */
  readonly start: number;
  /**
   * Pages of the sequence in order of position, enough for `start + rows` positions. Sequences may share pages that
   * they only read; a page that one of them writes in this step is in no other's list.
   */
  readonly pages: readonly number[];
  /**
   * Whether these rows read a prompt or continue an answer. A backend may use other arithmetic for each,
   * and only this field may decide which: never how many rows happen to share the step.
   */
  readonly phase: 'prefill' | 'decode';
}

export interface Step {
  /** Token rows over all sequences: the dimension `rows`. */
  readonly rows: number;
  /** Rows whose result is wanted: the dimension `outputs`. */
  readonly outputs: number;
  readonly sequences: readonly SequenceSlice[];
  /** Every input of the program by name, row-major. */
  readonly inputs: Readonly<Record<string, Float32Array | Int32Array>>;
  /** Present where the program declares caches. */
  readonly cache?: Cache;
  /**
   * Program outputs to compute and read back; all where absent. Calls that write the cache run in any case,
   * with an empty list too: that is how the first chunks of a prompt are fed.
   */
  readonly wanted?: readonly string[];
}

export interface StepResult {
  /**
   * The wanted outputs by name, row-major: Float32Array for f32, Int32Array for i32, bytes for encoded
   * weights. They belong to the caller and stay valid after further steps.
   */
  readonly outputs: Readonly<Record<string, Float32Array | Int32Array | Uint8Array>>;
}
