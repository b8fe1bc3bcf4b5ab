import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { largest } from './largest.js';

const largestOf = (values: readonly number[], k: number) => {
  const ids = new Int32Array(k);
  largest(Float32Array.from(values), ids);
  return [...ids];
};

describe('largest', () => {
  it('gives the largest first, and the smaller index among equals', () => {
    expect(largestOf([1, 5, 3, 5, 2], 3)).toEqual([1, 3, 2]);
    expect(largestOf([0, -0, 0], 3)).toEqual([0, 1, 2]);
  });

  it('puts what is no number behind -infinity', () => {
    expect(largestOf([Number.NaN, Number.NEGATIVE_INFINITY, Number.NaN, 1], 4)).toEqual([3, 1, 0, 2]);
    expect(largestOf([Number.NaN, Number.NaN], 1)).toEqual([0]);
  });

  it('agrees with sorting', () => {
    const value = fc.constantFrom(
      0,
      1,
      2,
      -1,
      Number.NaN,
      Number.NEGATIVE_INFINITY,
      Number.POSITIVE_INFINITY,
    );
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 40 }), fc.nat(), (values, n) => {
        const rank = (v: number) => (Number.isNaN(v) ? Number.NEGATIVE_INFINITY : v);
        const sorted = values
          .map((_, index) => index)
          .sort((a, b) => {
            const [x, y] = [values[a]!, values[b]!];
            const order =
              rank(y) === rank(x) ? Number(Number.isNaN(x)) - Number(Number.isNaN(y)) : rank(y) - rank(x);
            return order || a - b;
          });
        const k = 1 + (n % values.length);
        expect(largestOf(values, k)).toEqual(sorted.slice(0, k));
      }),
    );
  });

  it('takes all of a long rising row in reasonable time', () => {
    const values = Array.from({ length: 50_000 }, (_, i) => i);
    expect(largestOf(values, values.length)).toEqual(values.toReversed());
  });
});
