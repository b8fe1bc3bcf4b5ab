// Eight floats that go through the same arithmetic on every instruction set.
//
// Written with the vector types of gcc and clang: with AVX2 one is a register, elsewhere a pair. Everything has
// internal linkage, so that code compiled for a wide instruction set never stands in for that of a narrow one.
// multiplyAdd rounds once where the processor can (FMA) and twice elsewhere: alike on one instruction set.
#pragma once

#include <cstdint>
#include <cstring>
#ifdef __AVX2__
#include <immintrin.h>
#endif
#ifdef __aarch64__
#include <arm_neon.h>
#endif

#define POCKET_INLINE static inline __attribute__((always_inline))

typedef float f32x8 __attribute__((vector_size(32)));
typedef int32_t i32x8 __attribute__((vector_size(32)));

POCKET_INLINE f32x8 splat(float x) { return f32x8{x, x, x, x, x, x, x, x}; }
POCKET_INLINE i32x8 splat(int32_t x) { return i32x8{x, x, x, x, x, x, x, x}; }

/** x in every lane of a V: splat, where the width is that of the caller. */
template <class V>
POCKET_INLINE V every(float x) {
  return x - V{};
}

POCKET_INLINE f32x8 load8(const float* p) {
  f32x8 v;
  memcpy(&v, p, sizeof v);
  return v;
}

/** The first `count` < 8 elements, zeros behind them. */
POCKET_INLINE f32x8 loadPart(const float* p, int64_t count) {
  f32x8 v = splat(0.0f);
  memcpy(&v, p, static_cast<size_t>(count) * sizeof(float));
  return v;
}

POCKET_INLINE void store8(float* p, f32x8 v) { memcpy(p, &v, sizeof v); }

POCKET_INLINE void storePart(float* p, f32x8 v, int64_t count) {
  memcpy(p, &v, static_cast<size_t>(count) * sizeof(float));
}

POCKET_INLINE f32x8 multiplyAdd(f32x8 a, f32x8 b, f32x8 c) {
#ifdef __FMA__
  return (f32x8)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
#elif defined(__aarch64__)
  float32x4_t x[2], y[2], z[2];
  memcpy(x, &a, sizeof x);
  memcpy(y, &b, sizeof y);
  memcpy(z, &c, sizeof z);
  for (int i = 0; i < 2; i++) z[i] = vfmaq_f32(z[i], x[i], y[i]);
  memcpy(&c, z, sizeof z);
  return c;
#else
  return a * b + c;
#endif
}

POCKET_INLINE f32x8 select(i32x8 condition, f32x8 yes, f32x8 no) {
  return (f32x8)((condition & (i32x8)yes) | (~condition & (i32x8)no));
}

/** The larger of each two; b where a is no number. */
POCKET_INLINE f32x8 larger(f32x8 a, f32x8 b) { return select(a > b, a, b); }
POCKET_INLINE f32x8 smaller(f32x8 a, f32x8 b) { return select(a < b, a, b); }

POCKET_INLINE f32x8 magnitude(f32x8 x) { return (f32x8)((i32x8)x & splat(int32_t{0x7fffffff})); }

/** The sum of all eight, in one order for all callers: pairs, then pairs of pairs, then halves. */
POCKET_INLINE float sumOf(f32x8 v) {
  return ((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + (v[6] + v[7]));
}

/** The largest of all eight. */
POCKET_INLINE float largestOf(f32x8 v) {
  float most = v[0];
  for (int i = 1; i < 8; i++) most = v[i] > most ? v[i] : most;
  return most;
}
