import type { ProgramBuilder, Value } from '@pocketllm/abi';
import type { Hyperparameters } from './hyperparameters.js';
import type { ModelTensors } from './model-tensors.js';

/** What every step of a text model is given, and what its architecture reads. */
export interface StepInputs {
  /** Token ids, i32 [rows]. */
  readonly tokens: Value;
  /** Position of each row in its sequence, i32 [rows]. */
  readonly positions: Value;
  /** Rows whose logits are wanted, i32 [outputs]. */
  readonly selection: Value;
}

/** A family of models, as the sequence of op calls that turns tokens into logits. */
export interface Architecture {
  /** The value of `general.architecture`. */
  readonly name: string;
  /** Models that use it, for listings. */
  readonly models: string;
  /** Records one step; gives the logits, f32 [outputs, vocabulary]. */
  record(p: ProgramBuilder, step: StepInputs, tensors: ModelTensors, sizes: Hyperparameters): Value;
}
