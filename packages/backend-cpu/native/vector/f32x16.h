// Sixteen floats, for kernels of AVX-512. The names are those of f32x8.h, and so is what they compute.
#pragma once

#include "f32x8.h"

typedef float f32x16 __attribute__((vector_size(64)));
typedef int32_t i32x16 __attribute__((vector_size(64)));

POCKET_INLINE f32x16 load16(const float* p) { return (f32x16)_mm512_loadu_ps(p); }
POCKET_INLINE void store16(float* p, f32x16 v) { _mm512_storeu_ps(p, (__m512)v); }

/** A bit for each of the first `count` of sixteen; for all of them where there are more. */
POCKET_INLINE __mmask16 firstOf16(int64_t count) {
  return count >= 16 ? static_cast<__mmask16>(0xffff) : static_cast<__mmask16>((1u << count) - 1);
}

POCKET_INLINE f32x16 multiplyAdd(f32x16 a, f32x16 b, f32x16 c) {
  return (f32x16)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
}

POCKET_INLINE f32x16 select(i32x16 condition, f32x16 yes, f32x16 no) { return condition ? yes : no; }

POCKET_INLINE f32x16 larger(f32x16 a, f32x16 b) { return (f32x16)_mm512_max_ps((__m512)a, (__m512)b); }
POCKET_INLINE f32x16 smaller(f32x16 a, f32x16 b) { return (f32x16)_mm512_min_ps((__m512)a, (__m512)b); }

POCKET_INLINE f32x16 magnitude(f32x16 x) { return (f32x16)_mm512_abs_ps((__m512)x); }

/** A bit for each lane that is neither infinite nor no number. */
POCKET_INLINE __mmask16 finiteOnes(__m512 x) {
  constexpr int kInfiniteOrNan = 0x99;
  return static_cast<__mmask16>(~_mm512_fpclass_ps_mask(x, kInfiniteOrNan));
}
