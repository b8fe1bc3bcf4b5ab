import { CACHE_PAGE_POSITIONS } from '@pocketllm/abi';
import { Batch } from './batch.js';
import type { LineUp } from './line-up.js';
import type { PageTable } from './page-table.js';
import { proposeFromPrompt } from './prompt-lookup.js';
import type { Sequence } from './sequence.js';
import { mostDrafts, type StepCost } from './step-cost.js';

/** Bounds of what runs together. */
export interface Bounds {
  /** Rows of a step. */
  readonly maxRows: number;
  /** Rows of a step whose results are wanted; at least `maxSequences`. */
  readonly maxOutputs: number;
  /** Sequences that get rows at the same time; at most `maxRows`. */
  readonly maxSequences: number;
  /** When drafts are proposed: where they pay by measurement, wherever there are any, or never. */
  readonly drafts: 'measured' | 'always' | 'never';
}

/**
 * Decides who gets rows in the next step, and takes pages for them.
 *
 * Whoever came first goes first. Where no page is left, those who rest lose theirs, then those who wait, then the
 * youngest who is active: it waits, and what it had is found or computed again. The oldest keeps its pages, and the
 * cache has room for the longest text there can be, so it comes to its end, and so do all.
 */
export class Scheduler {
  #lastWasPooled = false;

  constructor(
    private readonly lineUp: LineUp,
    private readonly table: PageTable,
    private readonly cost: StepCost,
    private readonly bounds: Bounds,
  ) {}

  /** The next step, empty where nobody needs one. */
  plan(): Batch {
    const { active } = this.lineUp;
    for (let i = active.length - 1; i >= 0; i--) {
      if (!active[i]!.owner.isReading) this.lineUp.move(active[i]!, 'resting');
    }
    this.#admit();
    // A copy: whoever loses its pages leaves the list.
    for (const sequence of [...active]) if (sequence.state === 'active') this.#secureRow(sequence);
    const batch = this.#planInTurn();
    this.#lastWasPooled = batch.isPooled;
    return batch;
  }

  /** Lets those who wait become active, as far as there is room for their tokens and for a page more of all others. */
  #admit(): void {
    const { active, waiting } = this.lineUp;
    while (waiting.length > 0 && active.length < this.bounds.maxSequences) {
      const next = waiting[0]!;
      next.reuse(this.table);
      const needed = pagesNeeded(next);
      const promised = active.reduce((sum, sequence) => sum + pagesNeeded(sequence) + 1, 0);
      while (needed > this.table.available - promised && this.lineUp.takeFromIdle(next));
      if (active.length > 0 && needed > this.table.available - promised) return;
      this.lineUp.move(next, 'active');
    }
  }

  /** Sees to it that there is room for its next row, if need be at the cost of whoever is younger, or its own. */
  #secureRow(sequence: Sequence): void {
    sequence.reuse(this.table);
    while (!this.#takePages(sequence, sequence.computed + 1)) {
      if (this.lineUp.preemptYoungest() === sequence) return;
    }
  }

  /** Hidden states are pooled in steps of their own, in turn with the others. */
  #planInTurn(): Batch {
    const plans = [() => this.#planPooled(), () => this.#planTokens()];
    const [first, second] = this.#lastWasPooled ? plans.reverse() : plans;
    const batch = first!();
    return batch.isEmpty ? second!() : batch;
  }

  #planTokens(): Batch {
    const batch = new Batch();
    const { active } = this.lineUp;
    for (const sequence of active) {
      if (sequence.isPooled || !sequence.isDecoding) continue;
      sequence.draft = [];
      batch.addDecode(sequence);
    }
    const behind = active.filter(({ isPooled, isDecoding }) => !isPooled && !isDecoding);
    if (behind.length > 0) this.#addPrompts(batch, behind);
    else if (batch.decodes > 0) return this.#withDrafts(batch);
    return batch;
  }

  /** The same decodes, with drafts where they pay. */
  #withDrafts(plain: Batch): Batch {
    const batch = new Batch();
    const spareOutputs = this.bounds.maxOutputs - plain.outputs;
    const spareRows = this.bounds.maxRows - plain.rows;
    for (const { sequence } of plain.parts) {
      const spare = Math.min(spareOutputs, spareRows) - batch.extra.draft;
      const most = Math.min(this.#draftRows(plain.decodes, sequence), spare, sequence.owner.room - 1);
      sequence.draft = most > 0 && !sequence.needsLogits ? this.#draft(sequence, most) : [];
      batch.addDecode(sequence);
    }
    return batch;
  }

  #draftRows(decodes: number, { drafts }: Sequence): number {
    if (this.bounds.drafts === 'measured') return this.cost.draftRows(decodes, drafts.acceptance);
    return this.bounds.drafts === 'always' ? mostDrafts : 0;
  }

  #draft(sequence: Sequence, most: number): readonly number[] {
    const draft = proposeFromPrompt(sequence.tokens, most);
    const positions = sequence.tokens.length + draft.length;
    // Drafts are no reason to take a page from anyone.
    const room = sequence.pages.length * CACHE_PAGE_POSITIONS;
    if (positions <= room || (this.table.available > 0 && this.#takePages(sequence, positions))) return draft;
    return draft.slice(0, room - sequence.tokens.length);
  }

  /**
   * Rows of prompts. The oldest gets half of them at least, and what is left goes to those who need least: a short
   * question does not wait for a long text.
   */
  #addPrompts(batch: Batch, behind: readonly Sequence[]): void {
    let rows = this.cost.promptRows(batch.decodes, this.bounds.maxRows - batch.rows);
    if (rows === 0) return;
    const [oldest, ...others] = behind;
    const wanted = others.reduce((sum, { missing }) => sum + missing, 0);
    const order = [oldest!, ...others.sort((a, b) => a.missing - b.missing)];
    for (const sequence of order) {
      if (rows === 0) return;
      const share = sequence === oldest ? Math.max(Math.ceil(rows / 2), rows - wanted) : rows;
      rows -= this.#addChunk(batch, sequence, share);
    }
  }

  /** Adds up to `most` rows of one text; gives how many. */
  #addChunk(batch: Batch, sequence: Sequence, most: number): number {
    sequence.reuse(this.table);
    if (isBeingComputed(sequence, batch)) return 0;
    const { phase, rows: missing } = sequence.nextRows;
    this.#takePages(sequence, sequence.computed + Math.min(missing, most));
    const room = sequence.pages.length * CACHE_PAGE_POSITIONS - sequence.computed;
    const rows = Math.min(missing, most, room);
    if (rows > 0) batch.addChunk(sequence, rows, phase);
    return rows;
  }

  #planPooled(): Batch {
    const batch = new Batch(true);
    const { active } = this.lineUp;
    const pooled = active.filter(({ isPooled }) => isPooled);
    const decodes = active.filter(({ isPooled, isDecoding }) => !isPooled && isDecoding).length;
    let rows = this.cost.promptRows(decodes, Math.min(this.bounds.maxRows, this.bounds.maxOutputs));
    for (const sequence of pooled) {
      if (rows > 0) rows -= this.#addChunk(batch, sequence, rows);
    }
    return batch;
  }

  /** Takes pages for so many positions, as far as nobody who is active has to give them; false where that is not all. */
  #takePages(sequence: Sequence, positions: number): boolean {
    while (sequence.pages.length * CACHE_PAGE_POSITIONS < positions) {
      const page = this.table.take();
      if (page !== undefined) sequence.pages.push(page);
      else if (!this.lineUp.takeFromIdle(sequence)) return false;
    }
    return true;
  }
}

/** Pages that are missing for all tokens and for what comes next. */
const pagesNeeded = ({ tokens, pages }: Sequence): number =>
  Math.max(Math.ceil((tokens.length + 1) / CACHE_PAGE_POSITIONS) - pages.length, 0);

/** Whether a sequence of the batch computes the page that this one would begin: it can have that one afterwards. */
function isBeingComputed(sequence: Sequence, { parts }: Batch): boolean {
  const { known, computed, nextKey, needsEveryRow } = sequence;
  if (needsEveryRow || nextKey === undefined || computed > known.length * CACHE_PAGE_POSITIONS) return false;
  return parts.some(
    ({ sequence: other }) =>
      other.known.at(-1) === known.at(-1) && other.known.length === known.length && other.nextKey === nextKey,
  );
}
