import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bf16OfFloat, floatOfBf16, floatOfBits, floatOfHalf, halfOfFloat, roundHalfToEven } from './half.js';

describe('a half', () => {
  it('has the values of the standard', () => {
    expect(floatOfHalf(0x3c00)).toBe(1);
    expect(floatOfHalf(0xc000)).toBe(-2);
    expect(floatOfHalf(0x7bff)).toBe(65504);
    expect(floatOfHalf(0x0001)).toBe(2 ** -24);
    expect(floatOfHalf(0x03ff)).toBe(1023 * 2 ** -24);
    expect(floatOfHalf(0x7c00)).toBe(Number.POSITIVE_INFINITY);
    expect(Object.is(floatOfHalf(0x8000), -0)).toBe(true);
    expect(floatOfHalf(0x7e01)).toBeNaN();
  });

  it('comes back from every one of its values', () => {
    for (let half = 0; half < 0x10000; half++) {
      const value = floatOfHalf(half);
      if (!Number.isNaN(value) && halfOfFloat(value) !== half) expect.fail(`${half} is ${value}`);
    }
    expect(halfOfFloat(Number.NaN)).toBe(0x7e00);
  });

  it('rounds ties to even, and overflows halfway past its largest value', () => {
    expect(halfOfFloat(1 + 2 ** -11)).toBe(0x3c00);
    expect(halfOfFloat(1 + 3 * 2 ** -11)).toBe(0x3c02);
    expect(halfOfFloat(2 ** -25)).toBe(0);
    expect(halfOfFloat(3 * 2 ** -25)).toBe(2);
    expect(halfOfFloat(65519.99)).toBe(0x7bff);
    expect(halfOfFloat(-65520)).toBe(0xfc00);
    expect(halfOfFloat(2 - 2 ** -12)).toBe(0x4000); // carries into the exponent
  });

  it('is never further from a number than its neighbours are', () => {
    fc.assert(
      fc.property(fc.float({ min: -65000, max: 65000, noNaN: true }), (x) => {
        const half = halfOfFloat(x);
        const error = Math.abs(floatOfHalf(half) - x);
        expect(error).toBeLessThanOrEqual(Math.abs(floatOfHalf(half + 1) - x));
        if ((half & 0x7fff) !== 0) expect(error).toBeLessThanOrEqual(Math.abs(floatOfHalf(half - 1) - x));
      }),
    );
  });
});

describe('a bfloat16', () => {
  it('is the upper half of a single', () => expect(floatOfBf16(0x4049)).toBe(3.140625));

  it('rounds ties to even', () => {
    expect(bf16OfFloat(floatOfBits(0x3f808000))).toBe(0x3f80);
    expect(bf16OfFloat(floatOfBits(0x3f818000))).toBe(0x3f82);
    expect(bf16OfFloat(floatOfBits(0x3f808001))).toBe(0x3f81);
    expect(bf16OfFloat(-3.4e38)).toBe(0xff80);
  });

  it('keeps a NaN a quiet NaN', () => {
    const nan = bf16OfFloat(Number.NaN);
    expect(nan & 0x7fc0).toBe(0x7fc0);
  });
});

describe('roundHalfToEven', () => {
  it('takes ties to the even neighbour, on both sides of zero', () => {
    expect([0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 2.4999].map(roundHalfToEven)).toEqual([0, 2, 2, 0, -2, -2, 2]);
  });
});
