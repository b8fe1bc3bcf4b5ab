import type { ProgramBuilder, Value } from '@pocketllm/abi';
import type { StepInputs } from './architecture.js';
import type { Hyperparameters } from './hyperparameters.js';
import type { ModelTensors } from './model-tensors.js';

/** output(rms_norm(x)) of the selected rows; the embedding table where the file ties the two. */
export function outputLogits(
  p: ProgramBuilder,
  step: StepInputs,
  tensors: ModelTensors,
  { embeddingLength, vocabularySize, epsilon }: Hyperparameters,
  x: Value,
): Value {
  const selected = p.selectRows(x, step.selection);
  const h = p.rmsNorm(selected, tensors.weight('output_norm.weight', embeddingLength), { epsilon });
  const base = tensors.has('output.weight') ? 'output' : 'token_embd';
  return tensors.linear(h, base, vocabularySize, embeddingLength);
}
