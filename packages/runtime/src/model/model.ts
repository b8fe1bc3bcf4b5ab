import { type BackendPlugin, CACHE_PAGE_POSITIONS, PocketError } from '@pocketllm/abi';
import { AnswerStream, type ChatMessage, endsInReasoning, type RenderedPrompt } from '../chat/index.js';
import { Constraints } from '../constraint/index.js';
import type { EngineCounts } from '../engine/engine.js';
import type { GgufModel } from '../gguf/index.js';
import { resolveSampling } from '../sampling/index.js';
import { StopStrings } from '../text/index.js';
import type { Tokenizer } from '../tokenizer/index.js';
import { Answer, type AnswerRequest } from './answer.js';
import { type EmbedOptions, embedTexts } from './embed.js';
import { Generation } from './generation.js';
import {
  checkLength,
  checkLogprobs,
  checkOverflow,
  checkThinkingBudget,
  checkTimeout,
  checkTokens,
  chooseMaxTokens,
  forbiddenTokens,
} from './limits.js';
import { loadModel, type ModelParts } from './load-model.js';
import type { ModelInfo } from './model-info.js';
import type { ChatOptions, CompletionOptions, GenerationOptions, LoadOptions } from './options.js';
import { type RestoredSession, restoreSession, saveSession } from './session.js';
import { ThinkingBudget } from './thinking-budget.js';
import { TokenChooser } from './token-chooser.js';
import { likeliestOf } from './token-program.js';

/** What the cache is used for at a moment. */
export interface CacheUse {
  /** Tokens that one page holds. */
  readonly pagePositions: number;
  readonly pages: number;
  /** Pages that no answer holds, the kept ones included. */
  readonly freePages: number;
  /** Of them, those that hold the beginning of some text, and are reused for it until others need them. */
  readonly keptPages: number;
}

/** What is particular about the answer to a chat. */
type ChatParts = Pick<AnswerRequest, 'parts' | 'constraint'> &
  Partial<Pick<AnswerRequest, 'readCalls' | 'thinking'>> & {
    /** Control tokens that are looked for. */
    readonly show?: ReadonlySet<number> | undefined;
  };

/** One model, ready to answer on one device. Owns the file, the backend and the cache. */
export class Model implements AsyncDisposable {
  /**
   * Checks the file, opens the backend and loads the weights. On a failure everything is closed again, the file
   * too. Refusals: MODEL_MALFORMED, MODEL_UNSUPPORTED, OP_UNSUPPORTED, OUT_OF_MEMORY, BACKEND_ALREADY_OPEN,
   * BACKEND_UNAVAILABLE, PLUGIN_INVALID, ABI_MISMATCH, REQUEST_INVALID (an option), CANCELLED.
   */
  static async load(file: GgufModel, plugin: BackendPlugin, options: LoadOptions = {}): Promise<Model> {
    return new Model(await loadModel(file, plugin, options));
  }

  readonly info: ModelInfo;
  readonly tokenizer: Tokenizer;
  readonly #parts: ModelParts;
  readonly #forbidden: ReadonlySet<number>;
  readonly #constraints: Constraints;
  #closed = false;

  private constructor(parts: ModelParts) {
    this.info = parts.info;
    this.tokenizer = parts.tokenizer;
    this.#parts = parts;
    this.#forbidden = forbiddenTokens(parts.tokenizer, parts.sizes.vocabularySize);
    this.#constraints = new Constraints(parts.tokenizer, parts.template);
  }

  get cacheUse(): CacheUse {
    const { capacity, available, kept } = this.#parts.engine.table;
    return { pagePositions: CACHE_PAGE_POSITIONS, pages: capacity, freePages: available, keptPages: kept };
  }

  /** What the engine does now, and has done so far. */
  get activity(): EngineCounts {
    return this.#parts.engine.counts;
  }

  /** The prompt that the model's template makes of a conversation. TEMPLATE_FAILED where the file has no template. */
  renderPrompt(
    messages: readonly ChatMessage[],
    options: Pick<ChatOptions, 'tools' | 'enableThinking'> = {},
  ): RenderedPrompt {
    const { template } = this.#parts;
    if (!template) throw new PocketError('TEMPLATE_FAILED', { reason: 'the file has no chat template' });
    return template
      .compiled()
      .render({ messages, tools: options.tools, enableThinking: options.enableThinking });
  }

  /** Answers a conversation through the model's own template. Special tokens in messages stay text. */
  chat(messages: readonly ChatMessage[], options: ChatOptions = {}): Generation {
    const prompt = this.renderPrompt(messages, options);
    const { reasoning, reasoningTokens, callTokens } = this.#parts.template ?? {};
    const startsInside = reasoning !== undefined && endsInReasoning(prompt.text, reasoning);
    const { thinkingBudget } = options;
    const budget = thinkingBudget === undefined ? undefined : checkThinkingBudget(thinkingBudget);
    return this.#generate(this.tokenizer.encodeParts(prompt.parts, { addBos: true }), options, {
      parts: new AnswerStream({
        reasoning,
        startsInside,
        tools: options.readCalls ? options.tools : undefined,
      }),
      constraint: this.#constraints.ofChat(prompt.text, options),
      readCalls: options.readCalls ?? false,
      thinking:
        reasoning && budget !== undefined
          ? new ThinkingBudget(
              budget,
              reasoning,
              startsInside,
              this.tokenizer.encode(reasoning.close, { parseSpecial: true }),
            )
          : undefined,
      show: options.readCalls ? callTokens : reasoningTokens,
    });
  }

  /** Continues a text, or token ids as they are. */
  complete(prompt: string | readonly number[], options: CompletionOptions = {}): Generation {
    const ids =
      typeof prompt === 'string'
        ? this.tokenizer.encode(prompt, { addBos: true, parseSpecial: options.parseSpecial ?? false })
        : [...prompt]; // The caller's list may change before the answer is read.
    const constraint = this.#constraints.ofText(options);
    return this.#generate(ids, options, { constraint, parts: new AnswerStream({}) });
  }

  /**
   * A vector for each text, of length 1: the hidden states in front of the output matrix, their mean or the last one,
   * as the file says, else their mean. CONTEXT_OVERFLOW for a text beyond the context.
   */
  async embed(
    inputs: readonly (string | readonly number[])[],
    options: EmbedOptions = {},
  ): Promise<Float32Array[]> {
    this.#live();
    const { engine, sizes } = this.#parts;
    const { maxModelLen } = this.info;
    const texts = inputs.map((input, place) => {
      const ids =
        typeof input === 'string' ? this.tokenizer.encode(input, { addBos: true, addEos: true }) : [...input];
      checkTokens(`input[${place}]`, ids, sizes.vocabularySize);
      checkLength(ids.length, maxModelLen, 0);
      return ids;
    });
    return embedTexts(engine, sizes, texts, options);
  }

  /**
   * A text as bytes: its tokens, and what the cache holds of it at the moment. Give it the `promptTokens` and `tokens`
   * of a result, one behind the other.
   */
  async saveSession(tokens: readonly number[]): Promise<Uint8Array> {
    this.#live();
    checkTokens('tokens', tokens, this.#parts.sizes.vocabularySize);
    return saveSession(this.#parts, tokens);
  }

  /**
   * Puts a saved text back: an answer whose prompt begins with its tokens finds them in the cache. Of a session from
   * another device or cache format only the tokens come back, and are computed when they are needed. REQUEST_INVALID
   * for bytes that are no session of this model, or damaged. Bytes that somebody could have forged should not be
   * restored: what they say about a text holds for everyone who uses it.
   */
  async restoreSession(bytes: Uint8Array): Promise<RestoredSession> {
    this.#live();
    return restoreSession(this.#parts, bytes);
  }

  /**
   * Gives back device memory, backend and file; twice is fine. Answers that are not finished, and those that
   * nobody has read yet, end with CLOSED.
   */
  async close(): Promise<void> {
    this.#closed = true;
    this.#parts.engine.close();
    try {
      await this.#parts.backend.close();
    } finally {
      await this.#parts.file.close();
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #live(): void {
    if (this.#closed) throw new PocketError('CLOSED', { what: 'the model' });
  }

  #generate(
    promptTokens: readonly number[],
    options: GenerationOptions,
    { parts, constraint, readCalls = false, thinking, show }: ChatParts,
  ): Generation {
    this.#live();
    const { engine, sizes, recommended } = this.#parts;
    const { maxModelLen } = this.info;
    const { tokenizer } = this;
    checkTokens('prompt', promptTokens, sizes.vocabularySize);
    const slides = checkOverflow(options.onOverflow);
    if (!slides) checkLength(promptTokens.length, maxModelLen, 1);
    const settings = resolveSampling(options, recommended, sizes.vocabularySize);
    const logprobs = checkLogprobs(options.logprobs);
    const needsLogits = logprobs !== undefined || constraint !== undefined;
    const wanted = chooseMaxTokens(
      options.maxTokens,
      slides ? maxModelLen : maxModelLen - promptTokens.length,
      slides,
    );
    return new Generation(
      new Answer({
        engine,
        tokenizer,
        promptTokens,
        maxTokens: wanted,
        maxModelLen,
        chooser: new TokenChooser(settings, this.#forbidden, {
          likeliest: likeliestOf(sizes.vocabularySize),
          needsLogits,
        }),
        constraint,
        thinking,
        decode: tokenizer.textStream({ show }),
        stops: new StopStrings(options.stop ?? []),
        parts,
        readCalls,
        logprobs,
        ignoreEos: options.ignoreEos ?? false,
        timeoutMs: checkTimeout(options.timeoutMs),
        signal: options.signal,
      }),
    );
  }
}
