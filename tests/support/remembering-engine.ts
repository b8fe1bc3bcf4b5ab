import {
  CACHE_PAGE_POSITIONS,
  type Cache,
  type Executable,
  PocketError,
  type Program,
  type Step,
} from '@pocketllm/abi';
import { Engine } from '../../packages/runtime/src/engine/engine.js';
import type { NextToken, Reading } from '../../packages/runtime/src/engine/next-token.js';
import type { Bounds } from '../../packages/runtime/src/engine/scheduler.js';
import type { Choice, Sequence, SequenceOwner } from '../../packages/runtime/src/engine/sequence.js';

export const vocabulary = 97;
const layer = { name: 'layer', kvHeads: 1, headSize: 1, valueSize: 1 };
const program: Program = {
  abi: 1,
  inputs: ['tokens', 'positions', 'selection'].map((name) => ({
    name,
    type: 'i32',
    dimensions: [name === 'selection' ? 'outputs' : 'rows'],
  })),
  weights: [],
  caches: [layer],
  values: [],
  calls: [],
  outputs: { best: 'best', best_logit: 'best_logit', logits: 'logits', hidden: 'hidden' },
};

/** What follows a text: a number that depends on every token, its place and the phase that it was fed in. */
export function tokenAfter(fed: readonly number[]): number {
  return fed.reduce((sum, mark, place) => (sum * 31 + mark * 7 + place) % 1_000_003, 17) % vocabulary;
}

/** A token as the cache holds it: with the phase that it was fed in. */
export const markOf = (token: number, phase: 'prefill' | 'decode'): number =>
  2 * token + (phase === 'decode' ? 1 : 0);

/**
 * An engine on a device that keeps nothing but the tokens that it is fed, where it is told to, and reads a text from
 * its pages alone: whatever is wrong with the book-keeping of pages changes what it says. It fails where a page is
 * written that another sequence of the step lists. Its clock goes on by `msOf` with each step.
 */
export function rememberingEngine(
  pages: number,
  bounds: Bounds,
  onStep: (step: Step, signal: AbortSignal | undefined) => Promise<void> | void = () => {},
  msOf: (step: Step) => number = ({ rows }) => 1 + rows / 8,
  maxUnderWay?: number,
): Engine {
  const marks = new Int32Array(pages * CACHE_PAGE_POSITIONS).fill(-1);
  let now = 0;
  const run: Executable['run'] = async (step, signal) => {
    await onStep(step, signal);
    if (signal?.aborted) throw new PocketError('CANCELLED', { during: 'a step' });
    now += msOf(step);
    const after = new Int32Array(step.rows);
    let row = 0;
    for (const slice of step.sequences) {
      checkWrites(step, slice);
      const at = (position: number) =>
        slice.pages[Math.floor(position / CACHE_PAGE_POSITIONS)]! * CACHE_PAGE_POSITIONS +
        (position % CACHE_PAGE_POSITIONS);
      for (let i = 0; i < slice.rows; i++, row++) {
        const position = slice.start + i;
        marks[at(position)] = markOf(step.inputs.tokens![row]!, slice.phase);
        after[row] = tokenAfter(Array.from({ length: position + 1 }, (_, place) => marks[at(place)]!));
      }
    }
    const best = Int32Array.from(step.inputs.selection!, (selected) => after[selected]!);
    const logits = new Float32Array(best.length * vocabulary);
    for (const [output, token] of best.entries()) logits[output * vocabulary + token] = 1;
    return {
      outputs: {
        best,
        best_logit: new Float32Array(best.length).fill(1),
        logits,
        hidden: Float32Array.from(best),
      },
    };
  };
  const nothing = async () => {};
  const cache = { spec: { layers: [layer], pages, format: 'f16' } } as unknown as Cache;
  return new Engine({
    program,
    executable: { run, release: nothing },
    cache,
    rowSizes: { vocabulary, likeliest: 1 },
    hiddenSize: 1,
    bounds,
    ...(maxUnderWay === undefined ? {} : { maxUnderWay }),
    now: () => now,
  });
}

/** Pages that a slice writes must stand in no other list. */
function checkWrites(step: Step, slice: Step['sequences'][number]): void {
  const first = Math.floor(slice.start / CACHE_PAGE_POSITIONS);
  const last = Math.floor((slice.start + slice.rows - 1) / CACHE_PAGE_POSITIONS);
  const written = slice.pages.slice(first, last + 1);
  const others = step.sequences.filter((other) => other !== slice).flatMap((other) => other.pages);
  if (new Set(slice.pages).size < slice.pages.length || written.some((page) => others.includes(page))) {
    throw new Error('a page is written that is shared');
  }
}

/** Reads one text of an engine to its end. */
export class Reader implements SequenceOwner {
  readonly chosen: number[] = [];
  reads: Reading = 'best';
  isReading = true;
  readonly sequence: Sequence;
  readonly over: Promise<void>;
  error: unknown;
  /** Tokens after which it asks for logits first, as an owner does that cannot use the device's choice. */
  asksAt = -1;
  reused = 0;
  /** Length at which the text goes on as its last `slidesTo` tokens. */
  slidesAt = Number.POSITIVE_INFINITY;
  slidesTo = 0;
  #resolve!: () => void;

  constructor(
    engine: Engine,
    prompt: readonly number[],
    readonly count: number,
  ) {
    this.over = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.sequence = engine.submit(this, [...prompt]);
  }

  get room(): number {
    return this.count - this.chosen.length;
  }

  started(reused: number): void {
    this.reused = reused;
  }

  choose({ best, logits }: NextToken): Choice {
    if (this.chosen.length === this.asksAt && !logits) return 'logits';
    this.chosen.push(best);
    if (this.chosen.length === this.count) return 'end';
    const { tokens } = this.sequence;
    return tokens.length < this.slidesAt ? best : { instead: [...tokens, best].slice(-this.slidesTo) };
  }

  ended(error?: unknown): void {
    this.error = error;
    this.#resolve();
  }
}

/** What a text of that prompt goes on with where nobody else is there. */
export function alone(
  prompt: readonly number[],
  count: number,
  slidesAt = Number.POSITIVE_INFINITY,
  slidesTo = 0,
): number[] {
  let fed = prompt.map((token) => markOf(token, 'prefill'));
  return Array.from({ length: count }, () => {
    const next = tokenAfter(fed);
    const slides = fed.length >= slidesAt;
    fed.push(markOf(next, 'decode'));
    if (slides) fed = fed.slice(-slidesTo).map((mark) => markOf(mark >> 1, 'prefill'));
    return next;
  });
}
