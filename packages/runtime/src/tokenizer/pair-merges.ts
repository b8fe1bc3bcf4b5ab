import type { MergeTable } from './merge.js';

const shift = 2 ** 22;

/**
 * The merges of a byte-pair vocabulary: merge n joins the tokens `left[n]` and `right[n]` to `result[n]`, and
 * goes before merge n + 1. Kept sorted by pair, since a lookup by binary search stays fast whatever a file holds.
 */
export class PairMerges implements MergeTable {
  /** left * 2^22 + right, ascending. */
  readonly #pairs: Float64Array;
  /** The merge of each pair. */
  readonly #merges: Int32Array;
  readonly #results: Int32Array;
  /** Where the pairs of each left token start; one more entry ends the last. */
  readonly #starts: Int32Array;

  /** All ids are below `tokenCount`, which is at most 2^22. Of merges that join the same pair the first counts. */
  constructor(tokenCount: number, left: Int32Array, right: Int32Array, result: Int32Array) {
    const count = left.length;
    this.#pairs = new Float64Array(count);
    this.#merges = new Int32Array(count).fill(-1);
    this.#results = result;
    this.#starts = new Int32Array(tokenCount + 1);
    for (let merge = 0; merge < count; merge++) {
      this.#pairs[merge] = left[merge]! * shift + right[merge]!;
      this.#starts[left[merge]! + 1]!++;
    }
    this.#pairs.sort();
    for (let id = 0; id < tokenCount; id++) this.#starts[id + 1]! += this.#starts[id]!;
    for (let merge = 0; merge < count; merge++) {
      const at = this.#place(left[merge]!, right[merge]!);
      if (this.#merges[at] === -1) this.#merges[at] = merge;
    }
  }

  find(left: number, right: number): number {
    if (left < 0 || right < 0) return -1;
    const at = this.#place(left, right);
    return at < this.#starts[left + 1]! && this.#pairs[at] === left * shift + right ? this.#merges[at]! : -1;
  }

  priority(merge: number): number {
    return merge;
  }

  result(merge: number): number {
    return this.#results[merge]!;
  }

  /** The first place among those of `left` whose pair is not below (left, right). */
  #place(left: number, right: number): number {
    const pair = left * shift + right;
    let low = this.#starts[left]!;
    let high = this.#starts[left + 1]!;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#pairs[middle]! < pair) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
