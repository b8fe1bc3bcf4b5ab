import { CACHE_PAGE_POSITIONS, type SequenceSlice } from '@pocketllm/abi';
import type { NextToken, Reading } from './next-token.js';
import { pageKey } from './page-key.js';
import type { KnownPage, PageTable } from './page-table.js';
import { DraftRecord } from './prompt-lookup.js';

/**
 * What an owner says to what may come next: the next token; that it needs the row's logits; that it has enough; or
 * that the text goes on as another one, which is computed from its start.
 */
export type Choice = number | 'logits' | 'end' | { readonly instead: readonly number[] };

/** Whoever a sequence is computed for. Called by the loop, between steps; what it throws ends the sequence. */
export interface SequenceOwner {
  /** What steps have to bring. */
  readonly reads: Reading;
  /** Whether more is wanted now. Where not, the sequence rests, and loses its pages if others need them. */
  readonly isReading: boolean;
  /** Tokens that may still be chosen: drafts are proposed within it. */
  readonly room: number;
  /** The first rows are about to be computed; so many tokens are there already. */
  started(reusedTokens: number): void;
  /** Takes what may come after the last token. */
  choose(next: NextToken): Choice;
  /**
   * Takes the hidden state of the row at a position, where the sequence is pooled. In order; a text that lost its pages
   * begins again. Valid until the next step.
   */
  takeHidden?(row: Float32Array, position: number): void;
  /** Nothing follows. `error` where it failed. Its pages are free by now. */
  ended(error?: unknown): void;
}

/** - `waiting`: for its turn - `active`: gets rows - `resting`: its owner does not read - `over` */
export type SequenceState = 'waiting' | 'active' | 'resting' | 'over';

/** One growing text: its tokens, and how much of it stands in which pages. */
export class Sequence {
  state: SequenceState = 'waiting';
  /** Positions in the cache that hold what they should. */
  computed = 0;
  /** Full pages that are known, from the first on. */
  readonly known: KnownPage[] = [];
  /** All pages, for steps: the known ones, then private ones. */
  readonly pages: number[] = [];
  /** Proposed tokens after the last, in the step that runs. */
  draft: readonly number[] = [];
  readonly drafts = new DraftRecord();
  /** Whether the last row is to be fed once more, for its logits. */
  needsLogits = false;
  hasStarted = false;
  /** Whether it is to end before the next step. */
  isStopped = false;
  #nextKey: { page: number; key: string } | undefined;

  /**
   * @param tokens Owned by the sequence from now on; at least one.
   * @param pooling Hidden states that are wanted instead of what comes next: none, all of them, or the last one.
   */
  constructor(
    readonly owner: SequenceOwner,
    readonly tokens: number[],
    readonly arrival: number,
    readonly pooling: 'none' | 'all' | 'last' = 'none',
  ) {
    this.promptLength = tokens.length;
  }

  /** Tokens that are fed in phase `prefill`; those behind them were chosen, and are fed as `decode`. */
  promptLength: number;

  get isPooled(): boolean {
    return this.pooling !== 'none';
  }

  /** Whether rows whose results stand in the cache are computed all the same. */
  get needsEveryRow(): boolean {
    return this.pooling === 'all';
  }

  /** What its outputs have to bring. */
  get reads(): Reading {
    return this.needsLogits ? 'logits' : this.owner.reads;
  }

  /** Rows that are missing before the next token can be chosen. */
  get missing(): number {
    return this.tokens.length - this.computed;
  }

  /** Whether one row of phase `decode` brings the next token. */
  get isDecoding(): boolean {
    return this.missing === 1 && this.computed >= this.promptLength;
  }

  /** The phase of the next row, and how many rows of it are missing. */
  get nextRows(): { phase: SequenceSlice['phase']; rows: number } {
    if (this.computed < this.promptLength)
      return { phase: 'prefill', rows: this.promptLength - this.computed };
    return { phase: 'decode', rows: this.missing };
  }

  /** The key of the page behind the known ones, where its tokens are all there. */
  get nextKey(): string | undefined {
    const page = this.known.length;
    if ((page + 1) * CACHE_PAGE_POSITIONS > this.tokens.length) return undefined;
    if (this.#nextKey?.page !== page)
      this.#nextKey = { page, key: pageKey(this.tokens, page, this.promptLength) };
    return this.#nextKey.key;
  }

  /**
   * Takes known pages for what it would compute next, as far as there are any. One row is always left, for what
   * comes next.
   */
  reuse(table: PageTable): void {
    if (this.needsEveryRow) return;
    while (
      this.computed === this.known.length * CACHE_PAGE_POSITIONS &&
      this.missing > CACHE_PAGE_POSITIONS
    ) {
      const found = table.find(this.known.at(-1), this.nextKey!);
      if (!found) return;
      this.#givePrivate(table);
      table.hold(found);
      this.known.push(found);
      this.pages.push(found.page);
      this.computed += CACHE_PAGE_POSITIONS;
    }
  }

  /** Goes on as its owner chose, after a row that is computed. */
  take(choice: Choice, table: PageTable): void {
    if (choice === 'logits') {
      // The row is fed once more: it does not count yet.
      this.needsLogits = true;
      return;
    }
    this.computed++;
    if (choice === 'end') this.isStopped = true;
    else if (typeof choice === 'number') this.tokens.push(choice);
    else {
      this.letGo(table);
      this.tokens.length = 0;
      for (const token of choice.instead) this.tokens.push(token);
      this.promptLength = this.tokens.length;
      this.#nextKey = undefined;
    }
  }

  /** Makes the pages known that are full. */
  publish(table: PageTable): void {
    while (this.computed >= (this.known.length + 1) * CACHE_PAGE_POSITIONS) {
      const place = this.known.length;
      const known = table.publish(this.known.at(-1), this.nextKey!, this.pages[place]!);
      this.known.push(known);
      this.pages[place] = known.page;
    }
  }

  /** Lets go of all pages; what was computed has to be found or computed again. */
  letGo(table: PageTable): void {
    this.#givePrivate(table);
    while (this.known.length > 0) table.letGo(this.known.pop()!);
    this.pages.length = 0;
    this.computed = 0;
    this.draft = [];
  }

  #givePrivate(table: PageTable): void {
    while (this.pages.length > this.known.length) table.giveBack(this.pages.pop()!);
  }
}
