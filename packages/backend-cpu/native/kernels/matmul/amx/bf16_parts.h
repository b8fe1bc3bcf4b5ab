// Numbers as sums of bf16: a high part, and a low one that holds what the high one rounds off.
//
//   x ~ high + low     |x - high| <= 2^-9 |x|     |x - high - low| <= 2^-18 |x|
//
// Sixteen numbers at once, in pairs: a word of 32 bits holds two that follow each other, as tiles want them.
#pragma once

#include "../avx512/registers.h"

namespace {

/** Rounded to bf16, halves away from zero, in the upper half of each word; finite numbers stay so below 2^127. */
POCKET_INLINE __m512i upperBf16(__m512 x) {
  const __m512i rounded = _mm512_add_epi32(_mm512_castps_si512(x), _mm512_set1_epi32(0x8000));
  return _mm512_and_si512(rounded, _mm512_set1_epi32(static_cast<int>(0xffff0000)));
}

/** What `high` leaves of x. */
POCKET_INLINE __m512 restOf(__m512 x, __m512i high) { return _mm512_sub_ps(x, _mm512_castsi512_ps(high)); }

/** Words whose lower half is the upper half of `first`, and whose upper half is that of `second`. */
POCKET_INLINE __m512i pairsOf(__m512i first, __m512i second) {
  return _mm512_or_si512(_mm512_srli_epi32(first, 16), second);
}

/** As upperBf16, ties to even, for anything: what is no number stays none, the infinite stays infinite. */
POCKET_INLINE __m512i upperBf16OfAny(__m512 x) {
  const __m512i bits = _mm512_castps_si512(x);
  const __m512i odd = _mm512_and_si512(_mm512_srli_epi32(bits, 16), _mm512_set1_epi32(1));
  const __m512i rounded = _mm512_add_epi32(bits, _mm512_add_epi32(odd, _mm512_set1_epi32(0x7fff)));
  const __mmask16 isNan = _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q);
  const __m512i high = _mm512_mask_mov_epi32(rounded, isNan, _mm512_set1_epi32(0x7fc00000));
  return _mm512_and_si512(high, _mm512_set1_epi32(static_cast<int>(0xffff0000)));
}

/** What `high` leaves of x; nothing where that is not finite. */
POCKET_INLINE __m512 restOfAny(__m512 x, __m512i high) {
  const __m512 size = _mm512_abs_ps(_mm512_castsi512_ps(high));
  const __mmask16 isFinite = _mm512_cmp_ps_mask(size, _mm512_set1_ps(__builtin_inff()), _CMP_LT_OQ);
  return _mm512_maskz_sub_ps(isFinite, x, _mm512_castsi512_ps(high));
}

/** Sixteen numbers in order, in their upper halves, as sixteen of 16 bits. */
POCKET_INLINE __m256i narrowed(__m512i upper) { return _mm512_cvtepi32_epi16(_mm512_srli_epi32(upper, 16)); }

}  // namespace
