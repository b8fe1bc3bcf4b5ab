import type { Kernel } from './kernel.js';

/** Decodes each row of the weight once, and multiplies it with all rows of x. */
export const matmul: Kernel = async ({ floats, optional, weight, number, pause }) => {
  const [x, out, matrix] = [floats('x'), floats('out'), weight('weight')];
  const [rows, outFeatures, n] = [number('rows'), number('outFeatures'), number('inFeatures')];
  const scale = optional('weightScale')?.[0] ?? 1;
  const bias = optional('bias');
  const decoded = new Float32Array(n);
  for (let o = 0; o < outFeatures; o++) {
    if (o % 16 === 0) await pause();
    matrix.decodeRow(o, decoded);
    for (let r = 0; r < rows; r++) {
      out[r * outFeatures + o] = dot(decoded, x, r * n) * scale + (bias ? bias[o]! : 0);
    }
  }
};

/**
 * The sum of a[i] * b[from + i] in single precision, as most kernels take it: the tolerance allows for that, in any
 * order. Four sums at a time, as a vector unit would; the order depends on i alone, so neighbours change nothing.
 */
function dot(a: Float32Array, b: Float32Array, from: number): number {
  const { fround } = Math;
  const whole = a.length - (a.length % 4);
  let [s0, s1, s2, s3] = [0, 0, 0, 0];
  for (let i = 0; i < whole; i += 4) {
    s0 = fround(s0 + fround(a[i]! * b[from + i]!));
    s1 = fround(s1 + fround(a[i + 1]! * b[from + i + 1]!));
    s2 = fround(s2 + fround(a[i + 2]! * b[from + i + 2]!));
    s3 = fround(s3 + fround(a[i + 3]! * b[from + i + 3]!));
  }
  for (let i = whole; i < a.length; i++) s0 = fround(s0 + fround(a[i]! * b[from + i]!));
  return fround(fround(s0 + s1) + fround(s2 + s3));
}
