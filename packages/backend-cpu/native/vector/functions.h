// exp, tanh and what is made of them, eight at a time. Relative error below 2^-21 within the range of a single.
#pragma once

#include "f32x8.h"

/**
 * e^x = 2^n * e^r with n the integer nearest to x / ln 2 and |r| <= ln 2 / 2; e^r by its series up to r^6.
 * Below -87.3 it stays at the smallest normal number, above 88.3 at the largest power; NaN stays NaN.
 */
POCKET_INLINE f32x8 exponential(f32x8 x) {
  const f32x8 shifter = splat(12582912.0f);  // 1.5 * 2^23: adding it rounds to an integer
  x = select(x < splat(-87.33f), splat(-87.33f), x);
  x = select(x > splat(88.37f), splat(88.37f), x);
  const f32x8 shifted = multiplyAdd(x, splat(1.44269504f), shifter);
  const f32x8 n = shifted - shifter;
  // ln 2 in two parts, the first with few bits: n times it is exact.
  f32x8 r = multiplyAdd(n, splat(-0.693359375f), x);
  r = multiplyAdd(n, splat(2.12194440e-4f), r);
  f32x8 p = splat(1.0f / 720);
  p = multiplyAdd(p, r, splat(1.0f / 120));
  p = multiplyAdd(p, r, splat(1.0f / 24));
  p = multiplyAdd(p, r, splat(1.0f / 6));
  p = multiplyAdd(p, r, splat(0.5f));
  p = multiplyAdd(p, r, splat(1.0f));
  p = multiplyAdd(p, r, splat(1.0f));
  // The low bits of `shifted` are n: put into the exponent, they make 2^n.
  const i32x8 power = ((i32x8)shifted + splat(int32_t{127})) << 23;
  return p * (f32x8)power;
}

/** 1 / (1 + e^-x). */
POCKET_INLINE f32x8 sigmoid(f32x8 x) { return splat(1.0f) / (splat(1.0f) + exponential(-x)); }

/**
 * tanh(x) = 1 - 2 / (e^2x + 1) away from zero, where nothing cancels; near it by an odd polynomial with
 * coefficients for |x| < 0.625.
 */
POCKET_INLINE f32x8 hyperbolicTangent(f32x8 x) {
  const f32x8 size = magnitude(x);
  const f32x8 far = splat(1.0f) - splat(2.0f) / (exponential(size + size) + splat(1.0f));
  const f32x8 square = x * x;
  f32x8 p = splat(-5.70498872745e-3f);
  p = multiplyAdd(p, square, splat(2.06390887954e-2f));
  p = multiplyAdd(p, square, splat(-5.37397155531e-2f));
  p = multiplyAdd(p, square, splat(1.33314422036e-1f));
  p = multiplyAdd(p, square, splat(-3.33332819422e-1f));
  const f32x8 near = multiplyAdd(p * square, x, x);
  const f32x8 signedFar = select(x < splat(0.0f), -far, far);
  return select(size < splat(0.625f), near, select(x == x, signedFar, x));
}
