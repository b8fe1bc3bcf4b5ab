// Rows of the cache, sixteen numbers at a time.
#pragma once

#include "../../../vector/f32x16.h"
#include "../stored_rows.h"

namespace {

/** Numbers i to i + 15 of a row, of which `count` exist; zeros behind them. */
template <class Stored>
inline __m512 sixteen(const uint8_t* row, int64_t i, int64_t count);

template <>
inline __m512 sixteen<StoredF32>(const uint8_t* row, int64_t i, int64_t count) {
  return _mm512_maskz_loadu_ps(firstOf16(count), row + 4 * i);
}

template <>
inline __m512 sixteen<StoredF16>(const uint8_t* row, int64_t i, int64_t count) {
  return _mm512_cvtph_ps(_mm256_maskz_loadu_epi16(firstOf16(count), row + 2 * i));
}

template <>
inline __m512 sixteen<StoredQ8_0>(const uint8_t* row, int64_t i, int64_t) {
  const pocket_q8_0* block = reinterpret_cast<const pocket_q8_0*>(row) + i / POCKET_Q8_0_WEIGHTS;
  const __m128i codes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(block->q + i % POCKET_Q8_0_WEIGHTS));
  return _mm512_mul_ps(_mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(codes)), _mm512_set1_ps(floatOfHalf(block->scale)));
}

}  // namespace
