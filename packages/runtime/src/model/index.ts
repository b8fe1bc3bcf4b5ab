export {
  Generation,
  type GenerationPiece,
  type GenerationResult,
  type PositionLogprobs,
  type Timings,
} from './generation.js';
export type { Logger } from './logger.js';
export {
  type CacheUse,
  type ChatOptions,
  type CompletionOptions,
  type GenerationOptions,
  type LoadOptions,
  Model,
} from './model.js';
export { describeFile, type FileInfo, type ModelInfo } from './model-info.js';
export { recordTokenProgram, type TokenProgram } from './token-program.js';
