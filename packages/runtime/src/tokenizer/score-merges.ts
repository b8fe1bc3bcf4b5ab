import type { MergeTable } from './merge.js';
import { PairTable } from './pair-table.js';
import type { TokenIndex } from './token-index.js';

/** Two symbols merge where their texts join to a token; the higher its score the sooner. */
export class ScoreMerges implements MergeTable {
  /** The place of each token by score; equal scores have the same. */
  readonly #places: Int32Array;
  /** The token that a pair joins to, or -1. */
  readonly #joined = new PairTable();

  constructor(
    private readonly tokens: readonly string[],
    private readonly index: TokenIndex,
    scores: ArrayLike<number>,
  ) {
    // Sorted as numbers rather than by differences: infinite scores have none.
    const descending = Float64Array.from(scores).sort().reverse();
    const placeOf = new Map<number, number>();
    for (const [place, score] of descending.entries()) if (!placeOf.has(score)) placeOf.set(score, place);
    this.#places = Int32Array.from(scores, (score) => placeOf.get(score)!);
  }

  /** The merge is the token that it makes. */
  find(left: number, right: number): number {
    const known = this.#joined.get(left, right);
    if (known !== undefined) return known;
    const first = this.#text(left);
    const second = this.#text(right);
    const fits = first.length + second.length <= this.index.longestPlain;
    const token = (fits ? this.index.plain(first + second) : undefined) ?? -1;
    this.#joined.set(left, right, token);
    return token;
  }

  priority(merge: number): number {
    return this.#places[merge]!;
  }

  result(merge: number): number {
    return merge;
  }

  #text(symbol: number): string {
    return symbol < 0 ? String.fromCodePoint(~symbol) : this.tokens[symbol]!;
  }
}
