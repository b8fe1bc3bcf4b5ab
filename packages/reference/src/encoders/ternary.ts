import { roundToHalf } from './fit.js';

/**
 * The best ternary form of 256 weights: for each number k of weights that are kept, the largest k, at their
 * mean magnitude; of all k the one that keeps most.
 *
 * @returns the scale, as a half holds it, and codes 0, 1, 2 for -1, 0, 1
 */
export function fitTernary(
  x: Float32Array,
  from: number,
  importance: Float32Array,
): { scale: number; codes: Uint8Array } {
  const magnitudes = Float64Array.from({ length: 256 }, (_, i) => Math.abs(x[from + i]!));
  const order = Array.from(magnitudes.keys()).sort((a, b) => magnitudes[b]! - magnitudes[a]!);
  let best = 0;
  let bestGain = 0;
  let sum = 0;
  let total = 0;
  for (const i of order) {
    sum += importance[from + i]! * magnitudes[i]!;
    total += importance[from + i]!;
    const gain = (sum * sum) / total;
    if (gain > bestGain) {
      bestGain = gain;
      best = sum / total;
    }
  }
  const scale = roundToHalf(best);
  const codes = Uint8Array.from(magnitudes, (magnitude, i) => {
    const kept = scale > 0 && magnitude > scale / 2;
    return kept ? 1 + Math.sign(x[from + i]!) : 1;
  });
  return { scale, codes };
}
