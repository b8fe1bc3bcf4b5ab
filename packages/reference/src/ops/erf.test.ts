import { describe, expect, it } from 'vitest';
import { erf } from './erf.js';

describe('erf', () => {
  it.each([
    [0, 0],
    [0.1, 0.1124629160182849],
    [0.5, 0.5204998778130465],
    [1, 0.8427007929497149],
    [2, 0.9953222650189527],
    [3, 0.9999779095030014],
    [4, 0.9999999845827421],
    [6, 1],
    [30, 1],
    [Number.POSITIVE_INFINITY, 1],
  ])('of %d is %d, and the opposite of the other side', (x, expected) => {
    expect(erf(x)).toBeCloseTo(expected, 14);
    expect(erf(-x)).toBe(-erf(x));
  });

  it('keeps its relative precision near 0', () => {
    expect(erf(1e-20) / (1e-20 * (2 / Math.sqrt(Math.PI)))).toBeCloseTo(1, 14);
  });

  it('of no number is no number', () => {
    expect(erf(Number.NaN)).toBeNaN();
  });
});
