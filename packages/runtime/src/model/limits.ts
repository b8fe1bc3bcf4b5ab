import { CACHE_PAGE_POSITIONS, type CacheFormat, PocketError, weightFormats } from '@pocketllm/abi';
import type { Hyperparameters } from '../architectures/index.js';
import { displayText, type GgufModel, MetadataView } from '../gguf/index.js';
import { malformed, unsupported } from '../gguf/refusal.js';
import { requestInvalid } from '../request-invalid.js';
import { mostValues } from '../sampling/largest.js';
import type { Tokenizer } from '../tokenizer/index.js';
import type { GenerationOptions, LoadOptions } from './options.js';

const defaultMaxModelLen = 8192;
const defaultMaxSequences = 32;
const defaultMaxQueue = 1024;
/** Room for each of several answers that are asked for at once, in pages, and for all of them, in bytes. */
const usualPages = 16;
const mostBytesUnasked = 2 ** 28;
/** What timers can wait for. */
const mostMilliseconds = 2 ** 31 - 1;
/** Ids of pages are integers of 32 bits. */
const mostPages = 2 ** 31 - 1;

/** Rows of the largest step: longer prompts are fed in chunks. */
export const maxRows = 256;
/** Rows whose results a step can give, where there are not more sequences: drafts and hidden states need several. */
export const fewestOutputs = 32;

/** Positions of prompt and answer together. REQUEST_INVALID beyond what the model was made for. */
function chooseMaxModelLen(wanted: number | undefined, contextLength: number, mostPositions: number): number {
  if (wanted === undefined) return Math.min(contextLength, defaultMaxModelLen, mostPositions);
  return checkCount('maxModelLen', wanted, 2, Math.min(contextLength, mostPositions));
}

/** The longest text, and the pages of a cache that holds it. REQUEST_INVALID where that cannot be. */
export function chooseCacheSize(
  { maxModelLen, maxSequences = 0, cachePages, cacheBytes, cacheFormat = 'f16' }: LoadOptions,
  sizes: Hyperparameters,
): { readonly maxModelLen: number; readonly pages: number } {
  const bytesOfPage = pageBytes(sizes, cacheFormat);
  const given = chooseCachePages(cachePages, cacheBytes, bytesOfPage);
  const most = given === undefined ? Number.POSITIVE_INFINITY : given * CACHE_PAGE_POSITIONS;
  const length = chooseMaxModelLen(maxModelLen, sizes.contextLength, most);
  const forOne = Math.ceil(length / CACHE_PAGE_POSITIONS);
  const forMany = Math.min(maxSequences * usualPages, Math.floor(mostBytesUnasked / bytesOfPage));
  return { maxModelLen: length, pages: given ?? Math.max(forOne, forMany) };
}

function chooseCachePages(
  pages: number | undefined,
  bytes: number | undefined,
  bytesOfPage: number,
): number | undefined {
  if (bytes === undefined)
    return pages === undefined ? undefined : checkCount('cachePages', pages, 1, mostPages);
  if (pages !== undefined) throw requestInvalid('cacheBytes', 'either bytes or pages', 'both');
  return Math.min(Math.floor(checkCount('cacheBytes', bytes, bytesOfPage) / bytesOfPage), mostPages);
}

/** Bytes of one page in all layers. */
function pageBytes(
  { blockCount, kvHeads, headSize, valueSize }: Hyperparameters,
  format: CacheFormat,
): number {
  const { block } = weightFormats[format];
  const elements = CACHE_PAGE_POSITIONS * blockCount * kvHeads * (headSize + valueSize);
  return (elements * block.bytes) / block.weights;
}

/** Answers that are computed at the same time. */
export const chooseMaxSequences = (wanted: number | undefined): number =>
  wanted === undefined ? defaultMaxSequences : checkCount('maxSequences', wanted, 1, maxRows);

/** Answers that may be under way beside those. */
export const chooseMaxQueue = (wanted: number | undefined): number =>
  wanted === undefined ? defaultMaxQueue : checkCount('maxQueue', wanted, 0);

/** Tokens of an answer: what was asked for, as far as the context has room, or beyond it where the text slides. */
export function chooseMaxTokens(wanted: number | undefined, room: number, slides: boolean): number {
  if (wanted === undefined) return room;
  const count = checkCount('maxTokens', wanted, 1);
  return slides ? count : Math.min(room, count);
}

export const checkLogprobs = (wanted: number | undefined): number | undefined =>
  wanted === undefined ? undefined : checkCount('logprobs', wanted, 0, 20);

/** A prompt needs a token. */
export function checkTokens(field: string, ids: readonly number[], vocabularySize: number): void {
  if (ids.length === 0) throw requestInvalid(field, 'at least one token', 'none');
  const odd = ids.findIndex((id) => !Number.isInteger(id) || id < 0 || id >= vocabularySize);
  if (odd >= 0)
    throw requestInvalid(`${field}[${odd}]`, `a token id below ${vocabularySize}`, String(ids[odd]));
}

/** A text must leave so much room in the context: for a token that follows, or none. */
export function checkLength(promptTokens: number, maxModelLen: number, room: number): void {
  if (promptTokens + room > maxModelLen)
    throw new PocketError('CONTEXT_OVERFLOW', { promptTokens, maxModelLen });
}

/** Whether a text may slide out of its context. */
export function checkOverflow(wanted: GenerationOptions['onOverflow']): boolean {
  if (wanted === undefined || wanted === 'refuse' || wanted === 'slide') return wanted === 'slide';
  throw requestInvalid('onOverflow', 'refuse or slide', String(wanted));
}

export const checkTimeout = (wanted: number | undefined): number | undefined =>
  wanted === undefined ? undefined : checkCount('timeoutMs', wanted, 0, mostMilliseconds);

export const checkThinkingBudget = (wanted: number): number => checkCount('thinkingBudget', wanted, 0);

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
  throw requestInvalid(field, `an integer ${bound}`, String(value));
}
