export { createTokenizer } from './create-tokenizer.js';
export type { NamedTokens } from './named-tokens.js';
export type { TextStream } from './text-stream.js';
export type { TokenTypeName } from './token-type.js';
export {
  type DecodeOptions,
  type EncodeOptions,
  type MarkOptions,
  type TextPart,
  type TokenInfo,
  Tokenizer,
} from './tokenizer.js';
