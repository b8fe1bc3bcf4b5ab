import type { Terms } from '../tolerance.js';

/** One query head of one row, with the positions that it attends to. */
interface AttendingHead {
  readonly q: Float32Array;
  readonly keys: readonly Float32Array[];
  readonly values: readonly Float32Array[];
  readonly scale: number;
  /** 0 where there is none. */
  readonly softcap: number;
  readonly sink: number | undefined;
}

/**
 * What the error of out[c] = sum over p of weight[p] * values[p][c] grows from. The weights are a softmax of
 * scores, so an error of a score is a relative error of its weight, and of all weights through their sum.
 */
export function softmaxTerms(head: AttendingHead): (c: number) => Terms {
  const { q, keys, values, scale, softcap, sink } = head;
  const magnitudes = keys.map(
    (key) => scale * q.reduce((sum, value, i) => sum + Math.abs(value * key[i]!), 0),
  );
  const scores = keys.map((key) => {
    const score = scale * q.reduce((sum, value, i) => sum + value * key[i]!, 0);
    return softcap === 0 ? score : softcap * Math.tanh(score / softcap);
  });
  const largest = scores.reduce((a, b) => Math.max(a, b), sink ?? Number.NEGATIVE_INFINITY);
  const exponentials = scores.map((score) => Math.exp(score - largest));
  const total = exponentials.reduce((a, b) => a + b, sink === undefined ? 0 : Math.exp(sink - largest));
  const weights = exponentials.map((value) => value / total);
  const shift = weights.reduce((sum, weight, p) => sum + weight * magnitudes[p]!, 0);
  return (c) => {
    let absolute = 0;
    let moved = 0;
    weights.forEach((weight, p) => {
      const term = weight * Math.abs(values[p]![c]!);
      absolute += term;
      moved += term * magnitudes[p]!;
    });
    return {
      sums: [
        [keys.length, 2 * absolute],
        [q.length, moved + shift * absolute],
      ],
      functions: 2 * absolute * (1 + softcap),
    };
  };
}

/** Head `head` of row `row` of a matrix with `heads` heads of `size` values in each row. */
export function headOf(
  x: Float32Array,
  row: number,
  heads: number,
  head: number,
  size: number,
): Float32Array {
  const from = (row * heads + head) * size;
  return x.subarray(from, from + size);
}

/** Keeps the terms of the last head asked for: elements come head by head. */
export function byHead(
  valueSize: number,
  termsOfHead: (rowAndHead: number) => (c: number) => Terms,
): (index: number) => Terms {
  let last = -1;
  let terms: (c: number) => Terms = () => ({});
  return (index) => {
    const rowAndHead = Math.floor(index / valueSize);
    if (rowAndHead !== last) terms = termsOfHead(rowAndHead);
    last = rowAndHead;
    return terms(index % valueSize);
  };
}
