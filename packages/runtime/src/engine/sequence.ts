import {
  type Cache,
  checkStep,
  type Executable,
  PocketError,
  type Program,
  type SequenceSlice,
  type StepResult,
} from '@pocketllm/abi';
import { type NextToken, readNextToken } from './next-token.js';

/** What a model is run with: shared by all sequences. */
export interface Engine {
  readonly program: Program;
  readonly executable: Executable;
  readonly cache: Cache;
  /** Logits of a row: ids are below it. */
  readonly vocabularySize: number;
  /** Rows of the largest step: longer prompts are fed in chunks. */
  readonly maxRows: number;
}

/** One growing text in the cache. */
export class Sequence {
  /** Positions in the cache. */
  #length = 0;
  #last = 0;
  #lastPhase: SequenceSlice['phase'] = 'prefill';

  /** `pages` must hold all positions that will ever be fed. */
  constructor(
    private readonly engine: Engine,
    private readonly pages: readonly number[],
  ) {}

  /**
   * Feeds at least one token id, in chunks of at most maxRows. CANCELLED between two chunks, or within one, where
   * the signal fires.
   */
  async feed(
    ids: ArrayLike<number>,
    phase: SequenceSlice['phase'],
    readLogits: boolean,
    signal?: AbortSignal,
  ): Promise<NextToken> {
    const tokens = Int32Array.from(ids);
    const { maxRows } = this.engine;
    const lastChunk = tokens.length - (tokens.length % maxRows || maxRows);
    for (let from = 0; from < lastChunk; from += maxRows) {
      await this.#step(tokens.subarray(from, from + maxRows), phase, [], signal);
    }
    const wanted = readLogits ? ['best', 'best_logit', 'logits'] : ['best', 'best_logit'];
    const result = await this.#step(tokens.subarray(lastChunk), phase, wanted, signal);
    return readNextToken(result, this.engine.vocabularySize, readLogits);
  }

  /** The logits after the last row, for a caller who had not asked for them: feeds that row once more. */
  async logitsAgain(signal?: AbortSignal): Promise<Float32Array> {
    this.#length -= 1;
    return (await this.feed([this.#last], this.#lastPhase, true, signal)).logits!;
  }

  async #step(
    tokens: Int32Array,
    phase: SequenceSlice['phase'],
    wanted: string[],
    signal?: AbortSignal,
  ): Promise<StepResult> {
    // A step may be over before its backend looks at the signal.
    if (signal?.aborted) throw new PocketError('CANCELLED', { during: 'a generation' });
    const { program, executable, cache } = this.engine;
    const rows = tokens.length;
    const start = this.#length;
    const step = {
      rows,
      outputs: 1,
      sequences: [{ rows, start, pages: this.pages, phase }],
      inputs: {
        tokens: tokens.slice(),
        positions: Int32Array.from(tokens, (_, row) => start + row),
        selection: Int32Array.of(rows - 1),
      },
      cache,
      wanted,
    };
    checkStep(program, step);
    const result = await executable.run(step, signal);
    this.#length += rows;
    this.#last = tokens[rows - 1]!;
    this.#lastPhase = phase;
    return result;
  }
}
