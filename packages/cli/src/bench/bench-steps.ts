import { CACHE_PAGE_POSITIONS, type Cache, type Executable, type Step } from '@pocketllm/abi';
import { Random } from '@pocketllm/runtime';

/** Rows of the largest step, as when a model answers. */
export const maxRows = 256;

/** One line of the table. */
export interface BenchTest {
  /** Reading prompts, or writing answers a token at a time. */
  readonly kind: 'prompt' | 'answer';
  /** Of each sequence. */
  readonly tokens: number;
  /** Positions that stand in the cache before. */
  readonly depth: number;
  readonly sequences: number;
}

export const pagesOf = ({ tokens, depth, sequences }: BenchTest): number =>
  sequences * Math.ceil((depth + tokens) / CACHE_PAGE_POSITIONS);

/** Runs the steps of tests on random tokens. Each sequence has pages of its own. */
export class BenchSteps {
  readonly #random = new Random(1);

  constructor(
    private readonly executable: Executable,
    private readonly cache: Cache,
    private readonly vocabulary: number,
    private readonly signal: AbortSignal,
  ) {}

  /** Puts `depth` positions into the cache. */
  async fill(test: BenchTest): Promise<void> {
    for (let sequence = 0; sequence < test.sequences; sequence++) {
      await this.#read(test, sequence, 0, test.depth, false);
    }
  }

  /** Milliseconds of the test, from the depth on; it can be run again. */
  async run(test: BenchTest): Promise<number> {
    const started = performance.now();
    if (test.kind === 'prompt') {
      for (let sequence = 0; sequence < test.sequences; sequence++) {
        await this.#read(test, sequence, test.depth, test.depth + test.tokens, true);
      }
    } else {
      for (let token = 0; token < test.tokens; token++) await this.#decode(test, test.depth + token);
    }
    return performance.now() - started;
  }

  /** Reads positions of one sequence, in chunks; of the last one the likeliest next token is wanted. */
  async #read(test: BenchTest, sequence: number, from: number, to: number, wantsToken: boolean) {
    for (let start = from; start < to; start += maxRows) {
      const rows = Math.min(maxRows, to - start);
      const wanted = wantsToken && start + rows === to ? ['best'] : [];
      const slice = { rows, start, pages: this.#pages(test, sequence), phase: 'prefill' as const };
      await this.executable.run(this.#step([slice], Int32Array.of(rows - 1), wanted), this.signal);
    }
  }

  async #decode(test: BenchTest, start: number) {
    const slices = Array.from({ length: test.sequences }, (_, sequence) => ({
      rows: 1,
      start,
      pages: this.#pages(test, sequence),
      phase: 'decode' as const,
    }));
    const selection = Int32Array.from(slices, (_, row) => row);
    await this.executable.run(this.#step(slices, selection, ['best']), this.signal);
  }

  #step(sequences: Step['sequences'], selection: Int32Array, wanted: readonly string[]): Step {
    const positions = sequences.flatMap(({ start, rows }) =>
      Array.from({ length: rows }, (_, i) => start + i),
    );
    return {
      rows: positions.length,
      outputs: selection.length,
      sequences,
      inputs: {
        tokens: Int32Array.from(positions, () => Math.floor(this.#random.next() * this.vocabulary)),
        positions: Int32Array.from(positions),
        selection,
      },
      cache: this.cache,
      wanted,
    };
  }

  #pages(test: BenchTest, sequence: number): number[] {
    const each = pagesOf(test) / test.sequences;
    return Array.from({ length: each }, (_, page) => sequence * each + page);
  }
}
