import { isPocketError } from '@pocketllm/abi';
import type { Engine } from '../engine/engine.js';
import type { NextToken, Reading } from '../engine/next-token.js';
import type { Choice, Sequence, SequenceOwner } from '../engine/sequence.js';
import { logprobs, type TokenConstraint } from '../sampling/index.js';
import type { Tokenizer } from '../tokenizer/index.js';
import { AnswerText, type TextForm } from './answer-text.js';
import type { AnswerSource, GenerationPiece, GenerationResult } from './generation.js';
import { PieceQueue } from './piece-queue.js';
import { slide } from './slide.js';
import type { ThinkingBudget } from './thinking-budget.js';
import type { TokenChooser } from './token-chooser.js';

/** Pieces that may wait for the reader before the answer rests. */
const mostUnread = 16;

export interface AnswerRequest extends Omit<TextForm, 'hasLogprobs'> {
  readonly engine: Engine;
  readonly tokenizer: Tokenizer;
  /** At least one id. */
  readonly promptTokens: readonly number[];
  readonly maxTokens: number;
  /** Positions that a text may have; beyond them the answer slides, or has ended by `maxTokens`. */
  readonly maxModelLen: number;
  readonly chooser: TokenChooser;
  /** Makes what the answer is held to. The chooser reads logits then. */
  readonly constraint: (() => Promise<TokenConstraint>) | undefined;
  readonly thinking: ThinkingBudget | undefined;
  /** How many of the likeliest tokens are reported at each position; undefined for no log-probabilities. */
  readonly logprobs: number | undefined;
  readonly ignoreEos: boolean;
  readonly timeoutMs: number | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Makes one answer: prompt in, tokens out one by one as the engine's loop comes round, text as soon as it is certain. */
export class Answer implements AnswerSource, SequenceOwner {
  readonly #request: AnswerRequest;
  readonly #tokens: number[] = [];
  /** Prompt and answer, as far as the model sees them. */
  readonly #history: number[];
  readonly #queue = new PieceQueue();
  readonly #text: AnswerText;
  #constraint: TokenConstraint | undefined;
  #sequence: Sequence | undefined;
  #finishReason: GenerationResult['finishReason'] = 'cancelled';
  #cachedTokens = 0;
  readonly #asked = performance.now();
  #started = this.#asked;
  #firstToken = this.#asked;
  #lastToken = this.#asked;

  constructor(request: AnswerRequest) {
    this.#request = request;
    const { promptTokens, maxModelLen } = request;
    this.#history = [
      ...(promptTokens.length < maxModelLen ? promptTokens : slide(promptTokens, maxModelLen)),
    ];
    const hasLogprobs = request.logprobs !== undefined;
    const decode = request.thinking?.watch(request.decode) ?? request.decode;
    this.#text = new AnswerText({ ...request, decode, hasLogprobs }, (piece) => this.#queue.push(piece));
  }

  get reads(): Reading {
    return this.#request.chooser.reads;
  }

  get isReading(): boolean {
    return this.#queue.length < mostUnread;
  }

  get room(): number {
    const { maxTokens, maxModelLen } = this.#request;
    return Math.min(maxTokens - this.#tokens.length, maxModelLen - this.#history.length);
  }

  async *pieces(): AsyncGenerator<GenerationPiece, void> {
    const { engine, signal, constraint, timeoutMs } = this.#request;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onAbort = () => this.#stop('cancelled');
    try {
      if (signal?.aborted) return;
      this.#constraint = await constraint?.();
      if (signal?.aborted) return;
      const left = (timeoutMs ?? Number.POSITIVE_INFINITY) - (performance.now() - this.#asked);
      if (left <= 0) {
        this.#finishReason = 'timeout';
        return;
      }
      this.#sequence = engine.submit(this, this.#history);
      signal?.addEventListener('abort', onAbort, { once: true });
      if (timeoutMs !== undefined) timer = setTimeout(() => this.#stop('timeout'), left);
      yield* this.#queue.read(() => engine.resume(this.#sequence!));
    } catch (error) {
      if (!signal?.aborted || !isPocketError(error, 'CANCELLED')) throw error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      if (this.#sequence) await engine.stop(this.#sequence);
      this.#constraint?.dispose();
    }
  }

  snapshot(): GenerationResult {
    const { promptTokens } = this.#request;
    const hasStarted = this.#tokens.length > 0;
    return {
      ...this.#text.whole,
      tokens: [...this.#tokens],
      promptTokens: [...promptTokens],
      finishReason: this.#finishReason,
      timings: {
        promptTokens: promptTokens.length,
        cachedTokens: this.#cachedTokens,
        queuedMs: this.#started - this.#asked,
        promptMs: hasStarted ? this.#firstToken - this.#started : 0,
        firstTokenMs: this.#firstToken - this.#asked,
        generatedTokens: this.#tokens.length,
        generationMs: this.#lastToken - this.#firstToken,
      },
    };
  }

  started(reusedTokens: number): void {
    this.#started = performance.now();
    this.#cachedTokens = reusedTokens;
  }

  choose(next: NextToken): Choice {
    const { chooser, thinking, tokenizer, maxTokens, maxModelLen, ignoreEos } = this.#request;
    const forced = thinking?.forced();
    if (forced !== undefined) this.#constraint?.accept(forced);
    const token = forced ?? chooser.choose(next, this.#history, this.#constraint);
    if (token === undefined) return 'logits';
    this.#tokens.push(token);
    this.#lastToken = performance.now();
    if (this.#tokens.length === 1) this.#firstToken = this.#lastToken;
    if (!ignoreEos && tokenizer.isEndOfGeneration(token)) return this.#finish('stop');
    const top = this.#request.logprobs;
    const scores = top === undefined ? undefined : logprobs(next.logits!, token, top);
    if (this.#text.push(token, scores)) return this.#finish('stop');
    if (this.#tokens.length === maxTokens) return this.#finish('length');
    if (this.#history.length < maxModelLen) return token;
    return { instead: slide([...this.#history, token], maxModelLen) };
  }

  ended(error?: unknown): void {
    // A stop string has cut off what follows it.
    this.#text.end();
    this.#queue.end(error === undefined ? undefined : { error });
  }

  #finish(reason: GenerationResult['finishReason']): 'end' {
    this.#finishReason = reason;
    return 'end';
  }

  #stop(reason: 'cancelled' | 'timeout'): void {
    if (this.#sequence!.state === 'over') return;
    this.#finishReason = reason;
    void this.#request.engine.stop(this.#sequence!);
  }
}
