export * from './architectures/index.js';
export * from './backend/index.js';
export * from './chat/index.js';
export type { ResponseFormat, ToolChoice } from './constraint/index.js';
export * from './gguf/index.js';
export * from './model/index.js';
export * from './sampling/index.js';
export * from './text/index.js';
export * from './tokenizer/index.js';
