import type { Architecture } from './architecture.js';
import { llama, qwen2 } from './llama.js';
import { qwen3, qwen3moe } from './qwen3.js';

export type { Architecture, StepInputs } from './architecture.js';
export { type Hyperparameters, readHyperparameters } from './hyperparameters.js';
export { ModelTensors } from './model-tensors.js';

/** The architectures that run, by `general.architecture`. A Map, since that text comes from a file. */
export const architectures: ReadonlyMap<string, Architecture> = new Map(
  [qwen3, qwen3moe, qwen2, llama].map((architecture) => [architecture.name, architecture]),
);
