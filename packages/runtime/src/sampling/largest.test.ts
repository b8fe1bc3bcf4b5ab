import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { largest } from './largest.js';

const best = (values: readonly number[], k: number) => [...largest(Float32Array.from(values), k)];

function bySorting(values: Float32Array, k: number): number[] {
  return [...values.keys()]
    .filter((index) => values[index]! > Number.NEGATIVE_INFINITY)
    .sort((a, b) => (values[a] === values[b] ? a - b : values[b]! > values[a]! ? 1 : -1))
    .slice(0, k);
}

describe('largest', () => {
  it('gives indices by value, largest first', () => {
    expect(best([0.5, -3, 7, 2, -0.25], 3)).toEqual([2, 3, 0]);
    expect(best([-2, -1, -3], 3)).toEqual([1, 0, 2]);
  });

  it('puts the smaller index first among equals, 0 and -0 being equal', () => {
    expect(best([1, 2, 2, 1, 2], 4)).toEqual([1, 2, 4, 0]);
    expect(best([-1, -0, 0, -0], 3)).toEqual([1, 2, 3]);
  });

  it('never gives NaN and -Infinity', () => {
    expect(best([Number.NaN, 1, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY], 4)).toEqual([3, 1]);
    expect(best([Number.NaN, Number.NaN], 2)).toEqual([]);
  });

  it('gives all there are where k is beyond them, and none for k = 0', () => {
    expect(best([1, 2], 9)).toEqual([1, 0]);
    expect(best([1, 2], 0)).toEqual([]);
    expect(largest(new Float32Array(5000).fill(1), 0)).toHaveLength(0);
  });

  it('cuts back again and again where every value is larger than those before', () => {
    const rising = Float32Array.from({ length: 20_000 }, (_, index) => index);
    expect([...largest(rising, 3)]).toEqual([19_999, 19_998, 19_997]);
  });

  it('agrees with a full sort on rows of any floats', () => {
    const row = fc.oneof(
      fc.float32Array({ maxLength: 60 }),
      fc.array(fc.integer({ min: -3, max: 3 }), { maxLength: 60 }).map((list) => Float32Array.from(list)),
    );
    fc.assert(
      fc.property(row, fc.integer({ min: 0, max: 70 }), (values, k) => {
        expect([...largest(values, k)]).toEqual(bySorting(values, k));
      }),
    );
  });

  it('agrees with a full sort on long rows with many equal values', () => {
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom(1, 20, 700, 5000), (salt, k) => {
        const values = Float32Array.from({ length: 5000 }, (_, index) => Math.sin(index * salt) * 50).map(
          Math.round,
        );
        expect([...largest(values, k)]).toEqual(bySorting(values, k));
      }),
      { numRuns: 30 },
    );
  });

  it('reads a view into a larger buffer', () => {
    expect([...largest(new Float32Array([9, 1, 3, 2, 9]).subarray(1, 4), 2)]).toEqual([1, 2]);
  });

  it('refuses more values than an index has room for', () => {
    expect(() => largest(new Float32Array(2 ** 21 + 1), 1)).toThrow(TypeError);
  });
});
