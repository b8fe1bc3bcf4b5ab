import type { MergeTable } from './merge.js';
import type { TokenIndex } from './token-index.js';

const mostRemembered = 2 ** 17;
/** Symbols go from -0x110000 (characters) up to 2^22 (tokens); moved and packed, a pair is one exact number. */
const offset = 2 ** 21;
const width = 2 ** 23;

/** Two symbols merge where their texts join to a token; the higher its score the sooner. */
export class ScoreMerges implements MergeTable {
  /** The place of each token by score; equal scores have the same. */
  readonly #places: Int32Array;
  /** The token that a pair joins to, or -1. */
  readonly #joined = new Map<number, number>();

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
    const pair = (left + offset) * width + right + offset;
    const known = this.#joined.get(pair);
    if (known !== undefined) return known;
    const first = this.#text(left);
    const second = this.#text(right);
    const token =
      first.length + second.length <= this.index.longestPlain ? this.index.plain(first + second) : undefined;
    if (this.#joined.size >= mostRemembered) this.#joined.clear();
    this.#joined.set(pair, token ?? -1);
    return token ?? -1;
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
