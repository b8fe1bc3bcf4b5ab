import { isPocketError } from '@pocketllm/abi';
import type { ReasoningSplitter } from '../chat/index.js';
import type { PagePool } from '../engine/page-pool.js';
import { type Engine, Sequence } from '../engine/sequence.js';
import type { StopStrings } from '../text/index.js';
import type { TextStream, Tokenizer } from '../tokenizer/index.js';
import type { AnswerSource, GenerationPiece, GenerationResult } from './generation.js';
import type { TokenChooser } from './token-chooser.js';

export interface AnswerRequest {
  readonly engine: Engine;
  readonly pool: PagePool;
  readonly tokenizer: Tokenizer;
  /** At least one id; prompt and maxTokens fit the cache. */
  readonly promptTokens: readonly number[];
  readonly maxTokens: number;
  readonly chooser: TokenChooser;
  readonly stops: StopStrings;
  /** Absent for raw completions: all text is text. */
  readonly reasoning: ReasoningSplitter | undefined;
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
  #finishReason: GenerationResult['finishReason'] = 'cancelled';
  readonly #asked = performance.now();
  #promptStarted = this.#asked;
  #promptDone = this.#asked;
  #firstToken = this.#asked;
  #lastToken = this.#asked;

  constructor(request: AnswerRequest) {
    this.#request = request;
    this.#decode = request.tokenizer.textStream();
  }

  async *pieces(): AsyncGenerator<GenerationPiece, void> {
    const { pool, promptTokens, maxTokens, signal } = this.#request;
    let pages: readonly number[] = [];
    try {
      pages = await pool.take(promptTokens.length + maxTokens, signal);
      yield* this.#generate(pages);
    } catch (error) {
      if (!signal?.aborted || !isPocketError(error, 'CANCELLED')) throw error;
      yield* this.#end('cancelled');
    } finally {
      pool.giveBack(pages);
    }
  }

  snapshot(): GenerationResult {
    const { promptTokens } = this.#request;
    return {
      text: this.#text,
      reasoning: this.#reasoning,
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

  async *#generate(pages: readonly number[]): AsyncGenerator<GenerationPiece, void> {
    const { engine, promptTokens, maxTokens, tokenizer, chooser, ignoreEos, signal } = this.#request;
    const sequence = new Sequence(engine, pages);
    const history = [...promptTokens];
    // Until the prompt is read, both times are none.
    this.#promptStarted = performance.now();
    this.#promptDone = this.#lastToken = this.#promptStarted;
    let next = await sequence.feed(promptTokens, 'prefill', chooser.readsLogits, signal);
    this.#promptDone = this.#lastToken = performance.now();
    for (;;) {
      const token = await chooser.choose(next, history, () => sequence.logitsAgain(signal));
      history.push(token);
      this.#tokens.push(token);
      this.#lastToken = performance.now();
      if (this.#tokens.length === 1) this.#firstToken = this.#lastToken;
      if (!ignoreEos && tokenizer.isEndOfGeneration(token)) return yield* this.#end('stop');
      const stopped = yield* this.#release(this.#decode.push(token));
      if (stopped) return yield* this.#end('stop');
      if (this.#tokens.length === maxTokens) return yield* this.#end('length');
      next = await sequence.feed([token], 'decode', chooser.readsLogits, signal);
    }
  }

  /** Passes decoded text on, as far as no stop string and no tag can claim it; true at a stop string. */
  *#release(decoded: string): Generator<GenerationPiece, boolean> {
    const { text, stopped } = this.#request.stops.push(decoded);
    yield* this.#piece(this.#request.reasoning?.push(text) ?? { text, reasoning: '' });
    return stopped;
  }

  /** Passes on what was held back, now that nothing follows. */
  *#end(reason: GenerationResult['finishReason']): Generator<GenerationPiece, void> {
    const { stops, reasoning } = this.#request;
    this.#finishReason = reason;
    yield* this.#release(this.#decode.flush());
    const text = stops.flush();
    yield* this.#piece(reasoning?.push(text) ?? { text, reasoning: '' });
    if (reasoning) yield* this.#piece(reasoning.flush());
  }

  *#piece(piece: GenerationPiece): Generator<GenerationPiece, void> {
    if (piece.text === '' && piece.reasoning === '') return;
    this.#text += piece.text;
    this.#reasoning += piece.reasoning;
    yield piece;
  }
}
