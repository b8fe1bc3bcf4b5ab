import { PocketError } from '@pocketllm/abi';
import type { Hyperparameters } from '../architectures/index.js';
import { displayText, type GgufModel, MetadataView } from '../gguf/index.js';
import { malformed, unsupported } from '../gguf/refusal.js';
import { mostValues } from '../sampling/largest.js';
import type { Tokenizer } from '../tokenizer/index.js';

const defaultMaxModelLen = 8192;

/** Positions of prompt and answer together. REQUEST_INVALID beyond what the model was made for. */
export function chooseMaxModelLen(wanted: number | undefined, { contextLength }: Hyperparameters): number {
  if (wanted === undefined) return Math.min(contextLength, defaultMaxModelLen);
  return checkCount('maxModelLen', wanted, 2, contextLength);
}

/** Tokens of an answer: what was asked for, as far as the context has room. */
export function chooseMaxTokens(wanted: number | undefined, room: number): number {
  return wanted === undefined ? room : Math.min(room, checkCount('maxTokens', wanted, 1));
}

export const checkLogprobs = (wanted: number | undefined): number | undefined =>
  wanted === undefined ? undefined : checkCount('logprobs', wanted, 0, 20);

/** A prompt needs a token, and must leave room for one. */
export function checkPrompt(ids: readonly number[], vocabularySize: number, maxModelLen: number): void {
  if (ids.length === 0) throw invalid('prompt', 'at least one token', 'none');
  const odd = ids.findIndex((id) => !Number.isInteger(id) || id < 0 || id >= vocabularySize);
  if (odd >= 0) throw invalid(`prompt[${odd}]`, `a token id below ${vocabularySize}`, String(ids[odd]));
  if (ids.length >= maxModelLen) {
    throw new PocketError('CONTEXT_OVERFLOW', { promptTokens: ids.length, maxModelLen });
  }
}

/**
 * Every token needs a row of the embedding table, whose rows decide; rows without a token are padding. More rows
 * than a sampler can order are MODEL_UNSUPPORTED.
 */
export function checkVocabulary(
  file: GgufModel,
  sizes: Hyperparameters,
  warn: (warning: string) => void,
): void {
  const rows = sizes.vocabularySize;
  if (rows > mostValues) throw unsupported('rows of token_embd', String(rows), `up to ${mostValues}`);
  const view = new MetadataView(file.metadata).optional;
  const tokens = view.strings('tokenizer.ggml.tokens');
  if (tokens && tokens.values.length > rows) {
    const expected = `at most ${rows} tokens, the rows of token_embd`;
    throw malformed('tokenizer.ggml.tokens', expected, String(tokens.values.length), tokens.offset);
  }
  const stated = view.integer(sizes.key('vocab_size'));
  if (stated !== undefined && stated !== rows) {
    const key = displayText(sizes.key('vocab_size'));
    warn(`${key} says ${stated}; token_embd has ${rows} rows, and they decide`);
  }
}

/** Ids that must never be chosen: suppressed ones, and rows that no token names. */
export function forbiddenTokens(
  { suppressed, vocabularySize }: Tokenizer,
  rows: number,
): ReadonlySet<number> {
  const padding = Array.from({ length: rows - vocabularySize }, (_, index) => vocabularySize + index);
  return new Set([...suppressed, ...padding]);
}

function checkCount(field: string, value: number, least: number, most = Number.MAX_SAFE_INTEGER): number {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return value;
  const bound = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  throw invalid(field, `an integer ${bound}`, String(value));
}

function invalid(field: string, expected: string, found: string) {
  return new PocketError('REQUEST_INVALID', { field, expected, found });
}
