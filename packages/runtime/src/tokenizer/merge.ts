import { MinHeap } from './min-heap.js';

/** Most merges or tokens of a vocabulary: a merge's priority and a position must share one exact number. */
export const mostMerges = 2 ** 22;
const positions = 2 ** 31;

/**
 * What joins with what. Symbols are token ids; a negative symbol is a character or byte that is no token.
 * Merges are numbered by the table.
 */
export interface MergeTable {
  /** The merge that joins two symbols, or -1. */
  find(left: number, right: number): number;
  /** Lower goes first, and among equals the leftmost. A whole number below `mostMerges`. */
  priority(merge: number): number;
  /** The symbol that the merge makes. */
  result(merge: number): number;
}

/** Runs shorter than this share one set of arrays from call to call. */
const smallRun = 1024;

/**
 * Joins neighbours, best merge first, until none is left. Takes n log n steps and about 40 bytes a symbol:
 * a linked list of symbols, and a queue of candidate pairs in which an outdated entry is passed over.
 */
export class Merger {
  readonly #table: MergeTable;
  readonly #small = scratch(smallRun);

  constructor(table: MergeTable) {
    this.#table = table;
  }

  /** Merges the first `count` of `symbols` in place, and returns how many are left. */
  merge(symbols: Int32Array, count: number): number {
    const table = this.#table;
    // The list: neighbours by position, and the merge of each symbol with the one after it (-1: none).
    const { previous, next, pending, queue } = count <= smallRun ? this.#small : scratch(count);

    const consider = (at: number) => {
      const after = next[at]!;
      const merge = after < count ? table.find(symbols[at]!, symbols[after]!) : -1;
      pending[at] = merge;
      if (merge >= 0) queue.push(table.priority(merge) * positions + at);
    };

    for (let at = 0; at < count; at++) {
      previous[at] = at - 1;
      next[at] = at + 1;
    }
    for (let at = 0; at < count; at++) consider(at);

    while (queue.size > 0) {
      const key = queue.pop();
      const priority = Math.floor(key / positions);
      const at = key - priority * positions;
      const merge = pending[at]!;
      if (merge < 0 || table.priority(merge) !== priority) continue;
      symbols[at] = table.result(merge);
      const gone = next[at]!;
      const after = next[gone]!;
      pending[gone] = -1;
      next[at] = after;
      if (after < count) previous[after] = at;
      consider(at);
      if (at > 0) consider(previous[at]!);
    }

    let left = 0;
    for (let at = 0; at < count; at = next[at]!) symbols[left++] = symbols[at]!;
    return left;
  }
}

function scratch(count: number) {
  return {
    previous: new Int32Array(count),
    next: new Int32Array(count),
    pending: new Int32Array(count),
    queue: new MinHeap(count),
  };
}
