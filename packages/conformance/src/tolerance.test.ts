import { expect, it } from 'vitest';
import { boundOf, permittedRounding, roundedSum } from './tolerance.js';

it('an element without sums or functions may be off by one rounding', () => {
  expect(boundOf({}, 8, {})).toBeCloseTo(8 * 2 ** -23, 20);
  expect(boundOf({}, 0, {})).toBe(2 ** -100);
});

it('the bound of a sum grows with its length and the size of its terms, not with the result', () => {
  const short = boundOf({}, 0, { sums: [[4, 10]] });
  expect(short).toBeCloseTo(8 * 2 ** -24 * 10, 20);
  expect(boundOf({}, 0, { sums: [[12, 10]] })).toBeCloseTo(2 * short, 20);
  expect(boundOf({}, 0, { sums: [[4, 30]] })).toBeCloseTo(3 * short, 20);
});

it('functions and rounding count where the op declares them, and not elsewhere', () => {
  const terms = { functions: 3, rounded: 0.25 };
  expect(boundOf({}, 0, terms)).toBe(2 ** -100);
  expect(boundOf({ functions: 2 ** -20 }, 0, terms)).toBeCloseTo(3 * 2 ** -20, 20);
  expect(boundOf({ rounds: 'x' }, 0, terms)).toBeCloseTo(0.25, 20);
});

it('an activation that meets weights in blocks may be half a step off, its zeros and largest value aside', () => {
  const x = new Float32Array(64);
  x.set([127, 0, 1, -60]);
  x[40] = 1;
  const rounding = permittedRounding('q4_0', x, 0, 64);
  expect([...rounding.subarray(0, 4)]).toEqual([127 * 2 ** -11, 0, 0.5 + 2 ** -11, 0.5 + 60 * 2 ** -11]);
  // The next block of 32 has a scale of its own, and one value that is its largest.
  expect(rounding[40]).toBe(2 ** -11);
});

it('an activation that meets f16 or bf16 may be rounded to bf16, and one that meets f32 not at all', () => {
  const x = Float32Array.of(1, 1.001, -3);
  expect([...permittedRounding('f16', x, 0, 3)]).toEqual([0, 2 ** -8 * x[1]!, 0]);
  expect([...permittedRounding('bf16', x, 1, 2)]).toEqual([2 ** -8 * x[1]!, 0]);
  expect([...permittedRounding('f32', x, 0, 3)]).toEqual([0, 0, 0]);
});

it('roundings of many terms do not conspire', () => {
  const weights = new Float32Array(400).fill(1);
  expect(roundedSum(weights, 0, new Float64Array(4).fill(0.5))).toBe(2);
  expect(roundedSum(weights, 0, new Float64Array(400).fill(0.5))).toBe(6 * 0.5 * 20);
});
