// exp, tanh and what is made of them, eight or sixteen at a time. Relative error below 2^-21 within the range of a single.
#pragma once

#include "f32x8.h"
#ifdef __AVX512F__
#include "f32x16.h"
#endif

/**
 * e^x = 2^n * e^r with n the integer nearest to x / ln 2 and |r| <= ln 2 / 2; e^r by its series up to r^6.
 * Below -87.3 it stays at the smallest normal number, above 88.3 at the largest power; NaN stays NaN.
 */
template <class V>
POCKET_INLINE V exponential(V x) {
  typedef uint32_t Integers __attribute__((vector_size(sizeof(V))));
  const V shifter = every<V>(12582912.0f);  // 1.5 * 2^23: adding it rounds to an integer
  x = larger(every<V>(-87.33f), x);
  x = smaller(every<V>(88.37f), x);
  const V shifted = multiplyAdd(x, every<V>(1.44269504f), shifter);
  const V n = shifted - shifter;
  // ln 2 in two parts, the first with few bits: n times it is exact.
  V r = multiplyAdd(n, every<V>(-0.693359375f), x);
  r = multiplyAdd(n, every<V>(2.12194440e-4f), r);
  V p = every<V>(1.0f / 720);
  p = multiplyAdd(p, r, every<V>(1.0f / 120));
  p = multiplyAdd(p, r, every<V>(1.0f / 24));
  p = multiplyAdd(p, r, every<V>(1.0f / 6));
  p = multiplyAdd(p, r, every<V>(0.5f));
  p = multiplyAdd(p, r, every<V>(1.0f));
  p = multiplyAdd(p, r, every<V>(1.0f));
  // The low bits of `shifted` are n: put into the exponent, they make 2^n. Unsigned, since those of NaN overflow.
  const Integers power = ((Integers)shifted + 127) << 23;
  return p * (V)power;
}

/** 1 / (1 + e^-x). */
template <class V>
POCKET_INLINE V sigmoid(V x) {
  return every<V>(1.0f) / (every<V>(1.0f) + exponential(-x));
}

/**
 * tanh(x) = 1 - 2 / (e^2x + 1) away from zero, where nothing cancels; near it by an odd polynomial with
 * coefficients for |x| < 0.625.
 */
template <class V>
POCKET_INLINE V hyperbolicTangent(V x) {
  const V size = magnitude(x);
  const V far = every<V>(1.0f) - every<V>(2.0f) / (exponential(size + size) + every<V>(1.0f));
  const V square = x * x;
  V p = every<V>(-5.70498872745e-3f);
  p = multiplyAdd(p, square, every<V>(2.06390887954e-2f));
  p = multiplyAdd(p, square, every<V>(-5.37397155531e-2f));
  p = multiplyAdd(p, square, every<V>(1.33314442036e-1f));
  p = multiplyAdd(p, square, every<V>(-3.33332819422e-1f));
  const V near = multiplyAdd(p * square, x, x);
  const V signedFar = select(x < every<V>(0.0f), -far, far);
  return select(size < every<V>(0.625f), near, select(x == x, signedFar, x));
}
