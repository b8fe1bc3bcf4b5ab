import type { ParsedToolCall } from '../chat/index.js';
import type { logprobs } from '../sampling/index.js';

/** Log-probabilities at one position: of the chosen token, and of the likeliest ones. */
export type PositionLogprobs = ReturnType<typeof logprobs>;

/** Text that has become certain: no longer part of a character, a stop string or a tag. */
export interface GenerationPiece {
  readonly text: string;
  /** What the model thinks before it answers, without its tags. */
  readonly reasoning: string;
  /** Calls that are complete, where `readCalls` asked for them. */
  readonly calls?: readonly ParsedToolCall[];
  /** Of each token since the last piece but one that ended the answer, where `logprobs` asked for them. */
  readonly logprobs?: readonly PositionLogprobs[];
}

/** Times in milliseconds, counts in tokens. */
export interface Timings {
  readonly promptTokens: number;
  /** Of them, those that stood in the cache already. */
  readonly cachedTokens: number;
  /** From the request to its first row in a step. */
  readonly queuedMs: number;
  /** Reading the prompt, up to the first token. */
  readonly promptMs: number;
  /** From the request to the first token, waiting for room included. */
  readonly firstTokenMs: number;
  readonly generatedTokens: number;
  /** From the first token to the last. */
  readonly generationMs: number;
}

export interface GenerationResult extends GenerationPiece {
  /** Ids as chosen, an end token included. */
  readonly tokens: readonly number[];
  /** Ids of the whole prompt. */
  readonly promptTokens: readonly number[];
  /**
   * - `stop`: the model ended its turn, or a stop string came
   * - `length`: maxTokens or the context was reached
   * - `timeout`: timeoutMs had passed; the rest is what there was until then
   * - `cancelled`: the signal fired, or nobody read on; the rest is what there was until then
   */
  readonly finishReason: 'stop' | 'length' | 'timeout' | 'cancelled';
  readonly timings: Timings;
}

/** Work that makes an answer: its pieces as they come, and what there is of it by now. */
export interface AnswerSource {
  pieces(): AsyncGenerator<GenerationPiece, void>;
  /** Final once `pieces` has ended, whichever way. */
  snapshot(): GenerationResult;
}

/**
 * One answer in the making. Iterate over it to read it as it comes, then ask `result()` for the whole; or only
 * ask for the result. Work begins when somebody reads, and goes on by itself a few pieces ahead of the reader: then it
 * rests, in nobody's way, and others may get its room in the cache until it is read on. An iteration that ends early
 * cancels the rest.
 */
export class Generation implements AsyncIterable<GenerationPiece> {
  readonly #source: AnswerSource;
  #reading: Promise<void> | undefined;

  /** @internal Made by a model. */
  constructor(source: AnswerSource) {
    this.#source = source;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<GenerationPiece, void> {
    if (this.#reading) throw new TypeError('a generation is read once');
    let ended = () => {};
    let failed = (_: unknown) => {};
    this.#reading = new Promise((resolve, reject) => {
      ended = resolve;
      failed = reject;
    });
    // A failure reaches whoever iterates; the result may never be asked for.
    this.#reading.catch(() => {});
    try {
      yield* this.#source.pieces();
    } catch (error) {
      failed(error);
      throw error;
    } finally {
      ended();
    }
  }

  /** The whole answer, once it is there. */
  async result(): Promise<GenerationResult> {
    if (!this.#reading) for await (const _ of this);
    await this.#reading;
    return this.#source.snapshot();
  }
}
