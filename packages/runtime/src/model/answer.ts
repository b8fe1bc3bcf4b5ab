import { isPocketError } from '@pocketllm/abi';
import type { AnswerStream, FinishedAnswer, ParsedToolCall } from '../chat/index.js';
import type { PagePool } from '../engine/page-pool.js';
import { type Engine, Sequence } from '../engine/sequence.js';
import { logprobs, type TokenConstraint } from '../sampling/index.js';
import type { StopStrings } from '../text/index.js';
import type { TextStream, Tokenizer } from '../tokenizer/index.js';
import type { AnswerSource, GenerationPiece, GenerationResult, PositionLogprobs } from './generation.js';
import type { TokenChooser } from './token-chooser.js';

export interface AnswerRequest {
  readonly engine: Engine;
  readonly pool: PagePool;
  readonly tokenizer: Tokenizer;
  /** At least one id; prompt and maxTokens fit the cache. */
  readonly promptTokens: readonly number[];
  readonly maxTokens: number;
  readonly chooser: TokenChooser;
  /** Makes what the answer is held to. The chooser reads logits then. */
  readonly constraint: (() => Promise<TokenConstraint>) | undefined;
  readonly stops: StopStrings;
  /** Takes the output apart. */
  readonly parts: AnswerStream;
  /** Control tokens that it looks for. */
  readonly show: ReadonlySet<number> | undefined;
  /** Whether calls are reported as such. */
  readonly readCalls: boolean;
  /** How many of the likeliest tokens are reported at each position; undefined for no log-probabilities. */
  readonly logprobs: number | undefined;
  readonly ignoreEos: boolean;
  readonly signal: AbortSignal | undefined;
}

/** Makes one answer: prompt in, tokens out one by one, text as soon as it is certain. */
export class Answer implements AnswerSource {
  readonly #request: AnswerRequest;
  readonly #tokens: number[] = [];
  readonly #decode: TextStream;
  #text = '';
  #reasoning = '';
  readonly #calls: ParsedToolCall[] = [];
  readonly #logprobs: PositionLogprobs[] = [];
  /** Of them, those that came with a piece. */
  #logprobsGiven = 0;
  #finishReason: GenerationResult['finishReason'] = 'cancelled';
  readonly #asked = performance.now();
  #promptStarted = this.#asked;
  #promptDone = this.#asked;
  #firstToken = this.#asked;
  #lastToken = this.#asked;

  constructor(request: AnswerRequest) {
    this.#request = request;
    this.#decode = request.tokenizer.textStream({ show: request.show });
  }

  async *pieces(): AsyncGenerator<GenerationPiece, void> {
    const { pool, promptTokens, maxTokens, signal } = this.#request;
    let pages: readonly number[] = [];
    let constraint: TokenConstraint | undefined;
    try {
      if (!signal?.aborted) constraint = await this.#request.constraint?.();
      pages = await pool.take(promptTokens.length + maxTokens, signal);
      yield* this.#generate(pages, constraint);
    } catch (error) {
      if (!signal?.aborted || !isPocketError(error, 'CANCELLED')) throw error;
      yield* this.#end('cancelled');
    } finally {
      pool.giveBack(pages);
      constraint?.dispose();
    }
  }

  snapshot(): GenerationResult {
    const { promptTokens, readCalls } = this.#request;
    return {
      text: this.#text,
      reasoning: this.#reasoning,
      ...(readCalls ? { calls: [...this.#calls] } : {}),
      ...(this.#request.logprobs === undefined ? {} : { logprobs: [...this.#logprobs] }),
      tokens: [...this.#tokens],
      promptTokens: [...promptTokens],
      finishReason: this.#finishReason,
      timings: {
        promptTokens: promptTokens.length,
        promptMs: this.#promptDone - this.#promptStarted,
        firstTokenMs: this.#firstToken - this.#asked,
        generatedTokens: this.#tokens.length,
        generationMs: this.#lastToken - this.#promptDone,
      },
    };
  }

  async *#generate(
    pages: readonly number[],
    constraint: TokenConstraint | undefined,
  ): AsyncGenerator<GenerationPiece, void> {
    const { engine, promptTokens, maxTokens, tokenizer, chooser, ignoreEos, signal } = this.#request;
    const top = this.#request.logprobs;
    const sequence = new Sequence(engine, pages);
    const history = [...promptTokens];
    // Until the prompt is read, both times are none.
    this.#promptStarted = performance.now();
    this.#promptDone = this.#lastToken = this.#promptStarted;
    let next = await sequence.feed(promptTokens, 'prefill', chooser.readsLogits, signal);
    this.#promptDone = this.#lastToken = performance.now();
    for (;;) {
      const token = await chooser.choose(next, history, () => sequence.logitsAgain(signal), constraint);
      history.push(token);
      this.#tokens.push(token);
      this.#lastToken = performance.now();
      if (this.#tokens.length === 1) this.#firstToken = this.#lastToken;
      if (!ignoreEos && tokenizer.isEndOfGeneration(token)) return yield* this.#end('stop');
      if (top !== undefined) this.#logprobs.push(logprobs(next.logits!, token, top));
      const stopped = yield* this.#release(this.#decode.push(token));
      if (stopped) return yield* this.#end('stop');
      if (this.#tokens.length === maxTokens) return yield* this.#end('length');
      next = await sequence.feed([token], 'decode', chooser.readsLogits, signal);
    }
  }

  /** Passes decoded text on, as far as no stop string and no tag can claim it; true at a stop string. */
  *#release(decoded: string): Generator<GenerationPiece, boolean> {
    const { text, stopped } = this.#request.stops.push(decoded);
    yield* this.#piece(this.#request.parts.push(text));
    return stopped;
  }

  /** Passes on what was held back, now that nothing follows. */
  *#end(reason: GenerationResult['finishReason']): Generator<GenerationPiece, void> {
    const { stops, parts } = this.#request;
    this.#finishReason = reason;
    yield* this.#release(this.#decode.flush());
    yield* this.#piece(parts.push(stops.flush()));
    yield* this.#piece(parts.flush(), true);
  }

  /** Passes on what there is; of the last piece, log-probabilities that no text came for, too. */
  *#piece({ text, reasoning, calls }: FinishedAnswer, isLast = false): Generator<GenerationPiece, void> {
    const scores = this.#logprobs.slice(this.#logprobsGiven);
    const isEmpty = text === '' && reasoning === '' && calls.length === 0;
    if (isEmpty && !(isLast && scores.length > 0)) return;
    this.#text += text;
    this.#reasoning += reasoning;
    this.#calls.push(...calls);
    this.#logprobsGiven = this.#logprobs.length;
    yield {
      text,
      reasoning,
      ...(this.#request.readCalls ? { calls } : {}),
      ...(this.#request.logprobs === undefined ? {} : { logprobs: scores }),
    };
  }
}
