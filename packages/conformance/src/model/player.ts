import {
  type Backend,
  CACHE_PAGE_POSITIONS,
  type CacheFormat,
  cacheFormats,
  type DeviceInfo,
  decompose,
  type Program,
  type SequenceSlice,
  supportsCacheFormat,
} from '@pocketllm/abi';
import { type Prepared, prepareCase, runStep, weightsFrom } from '../run-steps.js';
import type { TinyModel } from './tiny-model.js';

/** A sequence of the model: how much of it stands in which pages. */
export interface Sequence {
  length: number;
  readonly pages: readonly number[];
}

/** Tokens that a sequence is to go on by. */
export interface Feed {
  readonly sequence: Sequence;
  readonly tokens: readonly number[];
  readonly phase: SequenceSlice['phase'];
}

/** What follows the last token of each feed. */
export interface Answer {
  readonly logits: Float32Array;
  readonly next: number;
}

export const maxRows = 128;
const maxOutputs = 33;
export const pageCount = 40;

/** The model's program as the runtime would hand it to a device: merged ops that it lacks are taken apart. */
export const programFor = ({ program }: TinyModel, { capabilities }: DeviceInfo): Program =>
  decompose(program, (op) => capabilities.ops.some((row) => row.op === op)).program;

export const cacheFormatFor = ({ capabilities }: DeviceInfo): CacheFormat | undefined =>
  cacheFormats.find((format) => supportsCacheFormat(capabilities, format));

/** A tiny model on a backend. */
export class Player {
  readonly #program: Program;
  readonly #prepared: Prepared;

  private constructor(program: Program, prepared: Prepared) {
    this.#program = program;
    this.#prepared = prepared;
  }

  static async prepare(backend: Backend, model: TinyModel, format: CacheFormat): Promise<Player> {
    const program = programFor(model, backend.device);
    const item = { program, cache: { pages: pageCount, format }, maxRows, maxOutputs };
    return new Player(program, await prepareCase(backend, item, weightsFrom(model.weights())));
  }

  /** Runs one step of all feeds, and moves their sequences on. */
  async feed(...feeds: readonly Feed[]): Promise<Answer[]> {
    const rows = feeds.reduce((sum, { tokens }) => sum + tokens.length, 0);
    let end = 0;
    const selection = Int32Array.from(feeds, ({ tokens }) => {
      end += tokens.length;
      return end - 1;
    });
    const positions = feeds.flatMap(({ sequence, tokens }) => tokens.map((_, i) => sequence.length + i));
    const sequences = feeds.map(({ sequence: { length, pages }, tokens, phase }) => ({
      rows: tokens.length,
      start: length,
      pages: pages.slice(0, Math.ceil((length + tokens.length) / CACHE_PAGE_POSITIONS)),
      phase,
    }));
    const { logits, next } = await runStep(this.#program, this.#prepared, {
      rows,
      outputs: feeds.length,
      sequences,
      inputs: {
        tokens: Int32Array.from(feeds.flatMap(({ tokens }) => tokens)),
        positions: Int32Array.from(positions),
        selection,
      },
    });
    for (const { sequence, tokens } of feeds) sequence.length += tokens.length;
    const width = logits!.length / feeds.length;
    return feeds.map((_, i) => ({
      logits: (logits as Float32Array).slice(i * width, (i + 1) * width),
      next: next![i]!,
    }));
  }

  /** The prompt in one piece, then `count` tokens, each the likeliest. */
  async continue(prompt: readonly number[], count: number, pages: readonly number[]): Promise<Answer[]> {
    const sequence = { length: 0, pages };
    const answers = await this.feed({ sequence, tokens: prompt, phase: 'prefill' });
    while (answers.length < count) {
      const tokens = [answers.at(-1)!.next];
      answers.push(...(await this.feed({ sequence, tokens, phase: 'decode' })));
    }
    return answers;
  }

  close(): Promise<void> {
    return this.#prepared.close();
  }
}
