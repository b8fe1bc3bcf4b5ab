import { describe, expect, it } from 'vitest';
import { dots } from './dots.js';

/** Numbers whose sum depends on the order of adding. */
const sample = (length: number, seed: number) =>
  Float32Array.from({ length }, (_, i) => Math.sin(seed + i * 1.7) * 10 ** ((i % 7) - 3));

function oneByOne(x: Float32Array, xRows: number, w: Float32Array, wRows: number, n: number): Float64Array {
  return Float64Array.from({ length: xRows * wRows }, (_, at) => {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += w[(at % wRows) * n + i]! * x[Math.floor(at / wRows) * n + i]!;
    return sum;
  });
}

describe('dots', () => {
  it.each([1, 2, 3, 4, 5])('gives %i rows of x the same bits as one dot product after the other', (xRows) => {
    const n = 37;
    for (const wRows of [1, 3, 4, 5, 7, 8, 9, 17]) {
      const x = sample(xRows * n, 1);
      const w = sample(wRows * n, 2);
      const out = new Float64Array(xRows * wRows).fill(Number.NaN);
      dots(x, 0, xRows, w, 0, wRows, n, out);
      expect(out).toEqual(oneByOne(x, xRows, w, wRows, n));
    }
  });

  it('starts where it is told', () => {
    const out = new Float64Array(1);
    dots(Float32Array.of(9, 1, 2), 1, 1, Float32Array.of(9, 9, 3, 4), 2, 1, 2, out);
    expect(out[0]).toBe(11);
  });
});
