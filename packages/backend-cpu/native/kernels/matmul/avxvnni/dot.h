// vpdpbusd in its encoding for 256 bits without AVX-512: each word of `sums` grows by the four products of the unsigned
// bytes of a with the signed ones of b. Exact.
#pragma once

#include <immintrin.h>

#include "../../../vector/f32x8.h"

namespace {

POCKET_INLINE __m256i addFourProducts(__m256i sums, __m256i a, __m256i b) {
#ifdef POCKET_EMULATED_AVXVNNI
  // In AVX2, for tests on machines that lack it: bytes of even and of odd places as 16 bits, products in pairs.
  const __m256i evenA = _mm256_and_si256(a, _mm256_set1_epi16(255));
  const __m256i evenB = _mm256_srai_epi16(_mm256_slli_epi16(b, 8), 8);
  const __m256i even = _mm256_madd_epi16(evenA, evenB);
  const __m256i odd = _mm256_madd_epi16(_mm256_srli_epi16(a, 8), _mm256_srai_epi16(b, 8));
  return _mm256_add_epi32(sums, _mm256_add_epi32(even, odd));
#else
  return _mm256_dpbusd_avx_epi32(sums, a, b);
#endif
}

}  // namespace
