import { dots } from './dots.js';

/** The query heads of one row that share a key head, and what they look at. */
interface RowOfHeads {
  /** Query heads, next to each other from `qAt` and `outAt` on. */
  readonly group: number;
  readonly headSize: number;
  readonly valueSize: number;
  readonly q: Float32Array;
  readonly qAt: number;
  /** [positions, headSize] and [positions, valueSize] of the key head. */
  readonly keys: Float32Array;
  readonly values: Float32Array;
  /** The positions that take part: from <= p < to. */
  readonly from: number;
  readonly to: number;
  readonly scale: number;
  /** 0 where there is none. */
  readonly softcap: number;
  /** One for each query head of the group. */
  readonly sinks: Float32Array | undefined;
  /** Room for `group * (to - from)` scores. */
  readonly scores: Float64Array;
  readonly out: Float32Array;
  readonly outAt: number;
}

/**
 * The softmax over positions of scale * q . key, bounded by the softcap, as weights of the values:
 *
 *     out[h, :] = sum over p of e^score[h, p] * value[p, :] / (sum over p of e^score[h, p] + e^sinks[h])
 */
export function attendRow(row: RowOfHeads): void {
  const { group, headSize, valueSize, keys, from, to, scale, softcap, sinks, scores, outAt } = row;
  const count = to - from;
  dots(row.q, row.qAt, group, keys, from * headSize, count, headSize, scores);
  for (let h = 0; h < group; h++) {
    const weights = scores.subarray(h * count, (h + 1) * count);
    const sink = sinks?.[h] ?? Number.NEGATIVE_INFINITY;
    let largest = sink;
    for (let p = 0; p < count; p++) {
      const score = weights[p]! * scale;
      weights[p] = softcap === 0 ? score : softcap * Math.tanh(score / softcap);
      largest = Math.max(largest, weights[p]!);
    }
    let total = Math.exp(sink - largest);
    for (let p = 0; p < count; p++) {
      weights[p] = Math.exp(weights[p]! - largest);
      total += weights[p]!;
    }
    weightedMean(weights, total, row.values, from * valueSize, valueSize, row.out, outAt + h * valueSize);
  }
}

/** out[c] = sum over p of weights[p] * values[p, c] / total; four columns at a time. */
function weightedMean(
  weights: Float64Array,
  total: number,
  values: Float32Array,
  valuesAt: number,
  cols: number,
  out: Float32Array,
  outAt: number,
): void {
  const tiled = cols - (cols % 4);
  for (let c = 0; c < tiled; c += 4) {
    let s0 = 0;
    let s1 = 0;
    let s2 = 0;
    let s3 = 0;
    for (let p = 0, at = valuesAt + c; p < weights.length; p++, at += cols) {
      const weight = weights[p]!;
      s0 += weight * values[at]!;
      s1 += weight * values[at + 1]!;
      s2 += weight * values[at + 2]!;
      s3 += weight * values[at + 3]!;
    }
    out[outAt + c] = s0 / total;
    out[outAt + c + 1] = s1 / total;
    out[outAt + c + 2] = s2 / total;
    out[outAt + c + 3] = s3 / total;
  }
  for (let c = tiled; c < cols; c++) {
    let sum = 0;
    for (let p = 0; p < weights.length; p++) sum += weights[p]! * values[valuesAt + p * cols + c]!;
    out[outAt + c] = sum / total;
  }
}
