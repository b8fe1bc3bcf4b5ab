import { PromptCost } from './prompt-cost.js';

/** Steps with other rows after which one of decodes alone is measured anew. */
const freshFor = 16;
/** Weight of a new measurement in a mean that forgets. */
const weight = 0.2;
/** Prompt rows that come along the first time; later at most twice as many as the last time. */
const firstRows = 16;
/** Of steps of decodes alone: what is made good to them at most, as one step may be late for any reason. */
const mostOwed = 1.5;
/** Drafts of one sequence in a step. */
export const mostDrafts = 8;

/** What is added to one row a sequence: rows of prompts, or drafts. */
export type ExtraRows = 'prompt' | 'draft';

/**
 * What steps cost on this device, by measurement: the time of a step that decodes so many sequences, and of a row more.
 * From it follows how many rows of a prompt may come along, and how many drafts pay.
 */
export class StepCost {
  /** Milliseconds of a step of decodes alone, by the power of two that holds their number. */
  readonly #decodeMs: (number | undefined)[] = [];
  readonly #prompts = new PromptCost();
  readonly #drafts = new DraftCost();
  #mixedSince = 0;
  #lastRows = firstRows / 2;
  /** Milliseconds by which prompts took more than their half of the time, until decodes had theirs. */
  #owedMs = 0;

  /** A step has run. Milliseconds. */
  note(decodes: number, extra: { readonly [kind in ExtraRows]: number }, ms: number): void {
    const level = levelOf(decodes);
    if (extra.prompt + extra.draft === 0) {
      this.#decodeMs[level] = mean(this.#decodeMs[level], ms);
      this.#mixedSince = 0;
      this.#owedMs = Math.max(this.#owedMs - ms, 0);
      return;
    }
    const base = decodes > 0 ? this.#decodeMs[level] : 0;
    if (decodes > 0) {
      this.#mixedSince++;
      if (extra.prompt > 0) this.#lastRows = extra.prompt;
    }
    if (base === undefined) return;
    if (extra.draft > 0) this.#drafts.note(extra.draft, ms - base);
    else {
      this.#prompts.note(extra.prompt, ms - base);
      this.#owedMs = Math.min(Math.max(this.#owedMs + ms - 2 * base, 0), mostOwed * base);
    }
  }

  /**
   * Rows of prompts that may come along with so many decodes, so that the step takes at most twice as long as
   * without, where any number of rows is as cheap as that; 0 where it has to be measured by a step without them, or
   * prompts have had more than half of the time.
   */
  promptRows(decodes: number, most: number): number {
    if (decodes === 0) return most;
    const decodeMs = this.#decodeMs[levelOf(decodes)];
    if (decodeMs === undefined || this.#mixedSince >= freshFor) return 0;
    if (this.#owedMs > decodeMs / 2) return 0;
    // Times are noisy: one that comes out too short must not bring a step that is far too long.
    const allowed = Math.min(2 * this.#lastRows, most);
    return this.#prompts.rowsWithin(decodeMs, allowed) ?? Math.min(firstRows, allowed);
  }

  /**
   * Drafts worth a row in a step of so many decodes, for a sequence whose drafts are right with the probability
   * `acceptance`, one independently of another: the i-th saves a token with acceptance^i, and a token costs its part
   * of a step.
   */
  draftRows(decodes: number, acceptance: number): number {
    const decodeMs = this.#decodeMs[levelOf(decodes)];
    if (decodeMs === undefined || this.#mixedSince >= freshFor) return 0;
    // A row of a draft is a row of a prompt until it has been measured.
    const rowMs = this.#drafts.rowMs ?? this.#prompts.rowMs;
    if (rowMs === undefined) return 0;
    const tokenMs = decodeMs / decodes;
    let count = 0;
    for (let chance = acceptance; count < mostDrafts && chance * tokenMs > rowMs; chance *= acceptance)
      count++;
    return count;
  }
}

/**
 * What a row of a draft costs beside others. Means of times and of rows are kept apart: in their quotient noise evens out, and a
 * step of many rows counts for more than one of few.
 */
class DraftCost {
  #ms: number | undefined;
  #rows: number | undefined;

  note(rows: number, ms: number): void {
    this.#ms = mean(this.#ms, ms);
    this.#rows = mean(this.#rows, rows);
  }

  /** Milliseconds; undefined where none was measured. */
  get rowMs(): number | undefined {
    return this.#rows === undefined ? undefined : Math.max(this.#ms!, 0) / this.#rows;
  }
}

const levelOf = (decodes: number): number => Math.ceil(Math.log2(Math.max(decodes, 1)));

const mean = (before: number | undefined, value: number): number =>
  before === undefined ? value : before + weight * (value - before);
