import { describe, expect, it } from 'vitest';
import { Random, splitMix64 } from './random.js';

const take = (seed: number | bigint, count: number) => {
  const random = new Random(seed);
  return Array.from({ length: count }, () => random.next32());
};

describe('Random', () => {
  // Worked out by a separate implementation with unbounded integers.
  it.each([
    [0, [3737715805, 2584255861, 2876756834, 3286328325, 1553311962, 1625202774]],
    [1, [1695105466, 1423115009, 634581793, 1068227753, 716759206, 4186505319]],
    [42, [1776835114, 4165204688, 17111135, 2317295270, 2792088233, 2554630222]],
    [Number.MAX_SAFE_INTEGER, [1233166643, 1287031142, 661813442, 2960669951, 2601079046, 1036114921]],
    [-1, [477689756, 2493998634, 555695776, 607808419, 61340979, 301466976]],
  ])('gives the recorded stream for seed %d', (seed, expected) => {
    expect(take(seed, 6)).toEqual(expected);
  });

  it('makes a fraction of 53 bits from two draws', () => {
    const random = new Random(42);
    expect([random.next(), random.next(), random.next()]).toEqual([
      0.4137016681565887, 0.003983993377814743, 0.6500837027638867,
    ]);
  });

  it('takes the seed modulo 2^64', () => {
    expect(take(2n ** 64n + 42n, 6)).toEqual(take(42, 6));
    expect(take(2n ** 64n - 1n, 6)).toEqual(take(-1, 6));
  });

  it('spreads fractions evenly over 64 cells', () => {
    const random = new Random(2024);
    const counts = new Array<number>(64).fill(0);
    for (let draw = 0; draw < 64_000; draw++) counts[Math.floor(random.next() * 64)]! += 1;
    const chiSquare = counts.reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0);
    expect(chiSquare).toBeLessThan(103.4); // 63 degrees of freedom, 1 in 1000
    expect(chiSquare).toBeGreaterThan(32.4); // nor more even than chance allows
  });
});

describe('splitMix64', () => {
  it('gives the published results for seed 1234567', () => {
    expect([1n, 2n, 3n, 4n, 5n].map((index) => splitMix64(1234567n, index))).toEqual([
      6457827717110365317n,
      3203168211198807973n,
      9817491932198370423n,
      4593380528125082431n,
      16408922859458223821n,
    ]);
  });
});
