/** Steps of nothing but decodes after which their time is measured anew, where other rows keep coming along. */
const freshFor = 64;
/** Weight of a new measurement in a mean that forgets. */
const weight = 0.2;
/** Prompt rows that come along before any time is known. */
const firstGuess = 32;
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
  readonly #rowMs: Record<ExtraRows, number | undefined> = { prompt: undefined, draft: undefined };
  #mixedSince = 0;

  /** A step has run. Milliseconds. */
  note(decodes: number, extra: { readonly [kind in ExtraRows]: number }, ms: number): void {
    const rows = extra.prompt + extra.draft;
    const level = levelOf(decodes);
    if (rows === 0) {
      this.#decodeMs[level] = mean(this.#decodeMs[level], ms);
      this.#mixedSince = 0;
      return;
    }
    if (decodes > 0) this.#mixedSince++;
    const kind = extra.draft > 0 ? 'draft' : 'prompt';
    const base = decodes > 0 ? this.#decodeMs[level] : 0;
    if (base === undefined) return;
    this.#rowMs[kind] = mean(this.#rowMs[kind], Math.max(ms - base, 0.01 * ms) / rows);
  }

  /**
   * Rows of prompts that may come along with so many decodes, so that the step takes at most twice as long as
   * without; 0 where that has to be measured by a step without them.
   */
  promptRows(decodes: number, most: number): number {
    if (decodes === 0) return most;
    const decodeMs = this.#decodeMs[levelOf(decodes)];
    if (decodeMs === undefined || this.#mixedSince >= freshFor) return 0;
    const rowMs = this.#rowMs.prompt;
    const rows = rowMs === undefined ? firstGuess : Math.floor(decodeMs / rowMs);
    return Math.min(Math.max(rows, 1), most);
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
    const rowMs = this.#rowMs.draft ?? this.#rowMs.prompt;
    if (rowMs === undefined) return 0;
    const tokenMs = decodeMs / decodes;
    let count = 0;
    for (let chance = acceptance; count < mostDrafts && chance * tokenMs > rowMs; chance *= acceptance)
      count++;
    return count;
  }
}

const levelOf = (decodes: number): number => Math.ceil(Math.log2(Math.max(decodes, 1)));

const mean = (before: number | undefined, value: number): number =>
  before === undefined ? value : before + weight * (value - before);
