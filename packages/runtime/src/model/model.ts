import {
  type Backend,
  type BackendPlugin,
  CACHE_PAGE_POSITIONS,
  type CacheFormat,
  checkCacheSpec,
  checkCapabilities,
  PocketError,
} from '@pocketllm/abi';
import { type Hyperparameters, readHyperparameters } from '../architectures/index.js';
import { checkCache, checkExecutable } from '../backend/check-plugin.js';
import { openBackend } from '../backend/index.js';
import {
  AnswerStream,
  type ChatMessage,
  endsInReasoning,
  type RenderedPrompt,
  type ToolDefinition,
} from '../chat/index.js';
import { PagePool } from '../engine/page-pool.js';
import type { Engine } from '../engine/sequence.js';
import { displayText, type GgufModel } from '../gguf/index.js';
import {
  type RecommendedSampling,
  recommendedSampling,
  resolveSampling,
  type SamplingOptions,
  type TokenConstraint,
} from '../sampling/index.js';
import { StopStrings } from '../text/index.js';
import { createTokenizer, type Tokenizer } from '../tokenizer/index.js';
import { Answer, type AnswerRequest } from './answer.js';
import { Generation } from './generation.js';
import {
  checkLogprobs,
  checkPrompt,
  checkVocabulary,
  chooseMaxModelLen,
  chooseMaxTokens,
  forbiddenTokens,
} from './limits.js';
import { type Logger, silent } from './logger.js';
import { describeFile, type ModelInfo } from './model-info.js';
import { chatTemplateOf, type ModelTemplate } from './template-of.js';
import { TokenChooser } from './token-chooser.js';
import { recordTokenProgram } from './token-program.js';

export interface LoadOptions {
  /** A device of the backend; its first by default. */
  readonly deviceId?: string;
  readonly threads?: number;
  /** Positions of prompt and answer together. By default what the model was made for, but at most 8192. */
  readonly maxModelLen?: number;
  /** How keys and values are kept: f16 by default. */
  readonly cacheFormat?: CacheFormat;
  readonly logger?: Logger;
  readonly signal?: AbortSignal;
  /** Called while weights are read. Bytes. */
  readonly onProgress?: (done: number, total: number) => void;
}

export interface GenerationOptions extends SamplingOptions {
  /** Tokens of the answer, thinking included; what the context has room for by default. */
  readonly maxTokens?: number;
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
  /** Ends the generation, which then has `finishReason` cancelled and what there was until then. */
  readonly signal?: AbortSignal;
}

export interface ChatOptions extends GenerationOptions {
  readonly tools?: readonly ToolDefinition[];
  /** Whether calls of `tools` come as `calls` instead of as text; false by default. */
  readonly readCalls?: boolean;
  /** Whether a model that can think before it answers does so; true by default. */
  readonly enableThinking?: boolean;
}

export interface CompletionOptions extends GenerationOptions {
  /** Whether the text of special tokens in the prompt becomes those tokens; otherwise it stays text. */
  readonly parseSpecial?: boolean;
}

/** What the cache is used for at a moment. */
export interface CacheUse {
  /** Tokens that one page holds. */
  readonly pagePositions: number;
  readonly pages: number;
  readonly freePages: number;
  /** Answers that wait for pages, first come, first served. */
  readonly waiting: number;
}

const maxRows = 256;

/** One model, ready to answer on one device. Owns the file, the backend and the cache. */
export class Model implements AsyncDisposable {
  /**
   * Checks the file, opens the backend and loads the weights. On a failure everything is closed again, the file
   * too. Refusals: MODEL_MALFORMED, MODEL_UNSUPPORTED, OP_UNSUPPORTED, OUT_OF_MEMORY, BACKEND_ALREADY_OPEN,
   * BACKEND_UNAVAILABLE, PLUGIN_INVALID, ABI_MISMATCH, REQUEST_INVALID (an option), CANCELLED.
   */
  static async load(file: GgufModel, plugin: BackendPlugin, options: LoadOptions = {}): Promise<Model> {
    const { logger = silent } = options;
    const opened: { close(): Promise<void> }[] = [file];
    try {
      const warnings = [...file.warnings];
      const warn = (warning: string) => {
        warnings.push(warning);
        logger('warn', warning);
      };
      const sizes = readHyperparameters(file);
      checkVocabulary(file, sizes, warn);
      const tokenizer = createTokenizer(file.metadata, warn);
      const maxModelLen = chooseMaxModelLen(options.maxModelLen, sizes);
      const recommended = recommendedSampling(file.metadata);
      recommended.warnings.forEach(warn);

      const backend = await openBackend(plugin, options);
      opened.push(backend);
      const { capabilities, id: device } = backend.device;
      const supported = new Set(capabilities.ops.map(({ op }) => op));
      const { program, weights, rewrites } = recordTokenProgram(file, sizes, (op) => supported.has(op));
      const pages = Math.ceil(maxModelLen / CACHE_PAGE_POSITIONS);
      const cacheSpec = { layers: program.caches, pages, format: options.cacheFormat ?? 'f16' };
      checkCapabilities(program, capabilities, device);
      checkCacheSpec(cacheSpec, capabilities, device);
      const { signal, onProgress } = options;
      const prepared = await backend.prepare(program, weights, {
        maxRows,
        maxOutputs: 1,
        ...(signal ? { signal } : {}),
        ...(onProgress ? { onProgress } : {}),
      });
      const executable = checkExecutable(prepared, plugin.name);
      const cache = checkCache(await backend.createCache(cacheSpec), plugin.name);
      if (signal?.aborted) throw new PocketError('CANCELLED', { during: 'loading the model' });
      const template = chatTemplateOf(file.metadata, tokenizer);
      const info: ModelInfo = {
        ...describeFile(file, sizes),
        maxModelLen,
        hasTemplate: template !== undefined,
        backend: plugin.name,
        device,
        warnings,
        rewrites,
      };
      for (const { op, into } of rewrites) logger('info', `${device} runs ${op} as ${into.join(' and ')}`);
      logger('info', `${displayText(info.name)} is loaded on ${plugin.name}, ${device}`);
      const engine = { program, executable, cache, vocabularySize: sizes.vocabularySize, maxRows };
      return new Model({
        info,
        file,
        tokenizer,
        template,
        backend,
        engine,
        sizes,
        recommended: recommended.values,
      });
    } catch (error) {
      await Promise.allSettled(opened.map(async (resource) => resource.close()));
      throw error;
    }
  }

  readonly info: ModelInfo;
  readonly tokenizer: Tokenizer;
  readonly #parts: ModelParts;
  readonly #pool: PagePool;
  readonly #forbidden: ReadonlySet<number>;
  #closed = false;

  private constructor(parts: ModelParts) {
    this.info = parts.info;
    this.tokenizer = parts.tokenizer;
    this.#parts = parts;
    this.#pool = new PagePool(parts.engine.cache.spec.pages);
    this.#forbidden = forbiddenTokens(parts.tokenizer, parts.sizes.vocabularySize);
  }

  /** Pages of the cache, those that no answer holds, and answers that wait for some. */
  get cacheUse(): CacheUse {
    const { capacity, free, waiting } = this.#pool;
    return { pagePositions: CACHE_PAGE_POSITIONS, pages: capacity, freePages: free, waiting };
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
    const { reasoning, reasoningTokens } = this.#parts.template ?? {};
    const parts = new AnswerStream({
      reasoning,
      startsInside: reasoning && endsInReasoning(prompt.text, reasoning),
      tools: options.readCalls ? options.tools : undefined,
    });
    const promptTokens = this.tokenizer.encodeParts(prompt.parts, { addBos: true });
    return this.#generate(promptTokens, parts, options, {
      readCalls: options.readCalls,
      show: reasoningTokens,
    });
  }

  /** Continues a text, or token ids as they are. */
  complete(prompt: string | readonly number[], options: CompletionOptions = {}): Generation {
    const ids =
      typeof prompt === 'string'
        ? this.tokenizer.encode(prompt, { addBos: true, parseSpecial: options.parseSpecial ?? false })
        : [...prompt]; // The caller's list may change before the answer is read.
    return this.#generate(ids, new AnswerStream({}), options);
  }

  /**
   * Gives back device memory, backend and file; twice is fine. Answers that are not finished, and those that
   * nobody has read yet, end with CLOSED.
   */
  async close(): Promise<void> {
    this.#closed = true;
    this.#pool.close();
    try {
      await this.#parts.backend.close();
    } finally {
      await this.#parts.file.close();
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #generate(
    promptTokens: readonly number[],
    parts: AnswerStream,
    options: GenerationOptions,
    { readCalls = false, show }: { readCalls?: boolean | undefined; show?: AnswerRequest['show'] } = {},
  ): Generation {
    if (this.#closed) throw new PocketError('CLOSED', { what: 'the model' });
    const { engine, sizes, recommended } = this.#parts;
    checkPrompt(promptTokens, sizes.vocabularySize, this.info.maxModelLen);
    const settings = resolveSampling(options, recommended, sizes.vocabularySize);
    const logprobs = checkLogprobs(options.logprobs);
    return new Generation(
      new Answer({
        engine,
        pool: this.#pool,
        tokenizer: this.tokenizer,
        promptTokens,
        maxTokens: chooseMaxTokens(options.maxTokens, this.info.maxModelLen - promptTokens.length),
        chooser: new TokenChooser(
          settings,
          this.#forbidden,
          logprobs !== undefined || options.constraint !== undefined,
        ),
        constraint: options.constraint,
        stops: new StopStrings(options.stop ?? []),
        parts,
        show,
        readCalls,
        logprobs,
        ignoreEos: options.ignoreEos ?? false,
        signal: options.signal,
      }),
    );
  }
}

interface ModelParts {
  readonly info: ModelInfo;
  readonly file: GgufModel;
  readonly tokenizer: Tokenizer;
  readonly template: ModelTemplate | undefined;
  readonly backend: Backend;
  readonly engine: Engine;
  readonly sizes: Hyperparameters;
  readonly recommended: RecommendedSampling;
}
