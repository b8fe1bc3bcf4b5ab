import type { CacheFormat } from '@pocketllm/abi';
import type { ToolDefinition } from '../chat/index.js';
import type { ResponseFormat, ToolChoice } from '../constraint/index.js';
import type { SamplingOptions, TokenConstraint } from '../sampling/index.js';
import type { Logger } from './logger.js';

export interface LoadOptions {
  /** A device of the backend; its first by default. */
  readonly deviceId?: string;
  readonly threads?: number;
  /**
   * Positions of prompt and answer together. By default what the model was made for, but at most 8192, and at most what
   * a cache of the size that is asked for holds.
   */
  readonly maxModelLen?: number;
  /** How keys and values are kept: f16 by default. */
  readonly cacheFormat?: CacheFormat;
  /**
   * Pages of 32 positions that all answers share, at least `maxModelLen` positions. Answers take pages as they grow, so
   * several short ones fit into the room of a long one. By default there are `maxModelLen` positions; where
   * `maxSequences` is given, 512 for each of them if that is more and takes no more than 256 MiB.
   */
  readonly cachePages?: number;
  /** The same in bytes, rounded down to whole pages. Only one of both. */
  readonly cacheBytes?: number;
  /** Answers that are computed at the same time; more wait for their turn. 32 by default, 256 at most. */
  readonly maxSequences?: number;
  /**
   * Answers that may wait for their turn beside those, or rest because nobody reads them; more fail with QUEUE_FULL when
   * they are first read. 1024 by default.
   */
  readonly maxQueue?: number;
  /**
   * Whether tokens that stood behind the same words before are proposed ahead of their turn, which changes no answer:
   * where that pays by measurement (the default), wherever it can be done, or never.
   */
  readonly drafts?: 'measured' | 'always' | 'never';
  readonly logger?: Logger;
  readonly signal?: AbortSignal;
  /** Called while weights are read. Bytes. */
  readonly onProgress?: (done: number, total: number) => void;
}

export interface GenerationOptions extends SamplingOptions {
  /** Tokens of the answer, thinking included; what the context has room for by default. */
  readonly maxTokens?: number;
  /**
   * What becomes of a text that outgrows the context. `refuse`, the default: a prompt that does not fit is
   * CONTEXT_OVERFLOW, and an answer ends with `length` where the context ends. `slide`: of all tokens so far, the first
   * 32 and the last half of the context stay, and what was between them is forgotten as if it had never been said;
   * the rest is read again at its new place. `maxTokens` is then the whole context by default, and may be more.
   */
  readonly onOverflow?: 'refuse' | 'slide';
  /** At most 16 texts that end the answer; they and what follows are cut off. */
  readonly stop?: readonly string[];
  /** Goes on after the model's own end of turn. */
  readonly ignoreEos?: boolean;
  /** Reports log-probabilities of each token, and of this many of the likeliest ones: 0 to 20. */
  readonly logprobs?: number;
  /**
   * Makes what the answer is held to, such as a grammar: called once, when the answer starts, and disposed of when
   * it ends, whichever way. It masks logits after penalties and bias, and is told of every token that is chosen,
   * those of the reasoning and the end token too.
   */
  readonly constraint?: () => Promise<TokenConstraint>;
  /**
   * What the answer has to be: JSON, JSON of a schema, or what a grammar allows. Only one of this and `constraint`. What
   * the model thinks before it answers stays free. Answers that end with `length`, or at a stop string, are beginnings
   * of such texts. With `ignoreEos`, end tokens follow the end until `maxTokens`.
   */
  readonly responseFormat?: ResponseFormat;
  /** Milliseconds from the call on, waiting included: then the answer ends, with `finishReason` timeout. */
  readonly timeoutMs?: number;
  /** Ends the generation, which then has `finishReason` cancelled and what there was until then. */
  readonly signal?: AbortSignal;
}

export interface ChatOptions extends GenerationOptions {
  readonly tools?: readonly ToolDefinition[];
  /** Whether calls of `tools` come as `calls` instead of as text; false by default. */
  readonly readCalls?: boolean;
  /**
   * Whether the answer has to be a call of some tool or of this one, with arguments that its schema allows; `auto`, the
   * default, leaves it to the model. With `auto` and a `responseFormat`, the answer is either of both.
   */
  readonly toolChoice?: ToolChoice;
  /** Whether an answer that has to be a call may be several; true by default. One where the tool is named. */
  readonly parallelCalls?: boolean;
  /** Whether a model that can think before it answers does so; true by default. */
  readonly enableThinking?: boolean;
  /** Tokens that the model may think for; then the tag that ends the reasoning is put in its mouth. No end by default. */
  readonly thinkingBudget?: number;
}

export interface CompletionOptions extends GenerationOptions {
  /** Whether the text of special tokens in the prompt becomes those tokens; otherwise it stays text. */
  readonly parseSpecial?: boolean;
}
