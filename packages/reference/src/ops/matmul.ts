import { dots } from './dots.js';
import type { Kernel } from './kernel.js';

/** Rows of x and of the weight in one block: a few million products, so the weight stays in the cache. */
const blockRows = 32;
const blockOutputs = 64;

export const matmul: Kernel<'matmul'> = function* ({
  inputs: { x, weight, bias, weightScale },
  outputs: { out },
  sizes: { rows, inFeatures, outFeatures },
  scratch,
}) {
  const sums = scratch.f64('sums', blockRows * blockOutputs);
  const scale = weightScale?.[0] ?? 1;
  for (let o = 0; o < outFeatures; o += blockOutputs) {
    const count = Math.min(blockOutputs, outFeatures - o);
    for (let r = 0; r < rows; r += blockRows) {
      const lines = Math.min(blockRows, rows - r);
      dots(x, r * inFeatures, lines, weight, o * inFeatures, count, inFeatures, sums);
      for (let i = 0; i < lines; i++) {
        finishRow(sums, i * count, count, scale, bias, o, out, (r + i) * outFeatures + o);
      }
      yield;
    }
  }
};

/** Scales sums, adds the bias and rounds once, to single precision. */
function finishRow(
  sums: Float64Array,
  from: number,
  count: number,
  scale: number,
  bias: Float32Array | undefined,
  biasAt: number,
  out: Float32Array,
  to: number,
): void {
  for (let j = 0; j < count; j++) {
    out[to + j] = sums[from + j]! * scale + (bias ? bias[biasAt + j]! : 0);
  }
}
