export type { EngineCounts } from '../engine/engine.js';
export type { EmbedOptions } from './embed.js';
export {
  Generation,
  type GenerationPiece,
  type GenerationResult,
  type PositionLogprobs,
  type Timings,
} from './generation.js';
export type { Logger } from './logger.js';
export { type CacheUse, Model } from './model.js';
export { describeFile, type FileInfo, type ModelInfo } from './model-info.js';
export type { ChatOptions, CompletionOptions, GenerationOptions, LoadOptions } from './options.js';
export type { RestoredSession } from './session.js';
export { recordTokenProgram, type TokenProgram } from './token-program.js';
