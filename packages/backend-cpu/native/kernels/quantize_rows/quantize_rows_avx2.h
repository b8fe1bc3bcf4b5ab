// quantize_rows, one unit a row, AVX2: the activations of a matmul, once for all matmuls that read them.
//
//   x: [rows, cols] f32   out: [rows] rows as rounded_row.h lays them out, with kRowBytes from one to the next
//
// The bits are those of quantize_rows_avx512.h. cols is a multiple of 32. 32 numbers of which one is not finite get the
// scale NaN, so that it spoils its own row and no other. 32 below 1e-35 count as zero: the inverse of their scale would
// overflow.
#pragma once

#include <immintrin.h>

#include "../../vector/f32x8.h"
#include "../call.h"
#include "../matmul/rounded_row.h"

namespace {

struct QuantizeRows {
  /** kUnitsOfRow: units that belong to one row of the step. */
  enum Size { kCols, kRowBytes, kUnitsOfRow };
};

POCKET_INLINE int32_t sumOfWords(__m256i words) {
  __m128i sum = _mm_add_epi32(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
  sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0x4e));
  return _mm_cvtsi128_si32(_mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0xb1)));
}

POCKET_INLINE float largestOf(const __m256* numbers) {
  // Magnitudes compare like their bits, and what is no number stands above infinity.
  const __m256i noSign = _mm256_set1_epi32(0x7fffffff);
  __m256i most = _mm256_setzero_si256();
  for (int j = 0; j < 4; j++) most = _mm256_max_epi32(most, _mm256_and_si256(_mm256_castps_si256(numbers[j]), noSign));
  most = _mm256_max_epi32(most, _mm256_permute2x128_si256(most, most, 1));
  most = _mm256_max_epi32(most, _mm256_shuffle_epi32(most, 0x4e));
  most = _mm256_max_epi32(most, _mm256_shuffle_epi32(most, 0xb1));
  return _mm256_cvtss_f32(_mm256_castsi256_ps(most));
}

/** 32 words as bytes. */
POCKET_INLINE void storeBytes(const __m256i* words, uint8_t* to) {
  const __m256i low = _mm256_packs_epi32(words[0], words[1]);
  const __m256i high = _mm256_packs_epi32(words[2], words[3]);
  // Packing works within halves of registers; this puts the fours of codes back in order.
  const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
  const __m256i packed = _mm256_permutevar8x32_epi32(_mm256_packs_epi16(low, high), order);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), packed);
}

/** 32 numbers from i on. */
template <bool fine>
POCKET_INLINE void roundGroup(const float* x, int64_t i, uint8_t* row, const RoundedRowPlaces& places) {
  constexpr float kSteps = fine ? kAnswerSteps : kPromptSteps;
  __m256 numbers[4];
  for (int j = 0; j < 4; j++) numbers[j] = _mm256_loadu_ps(x + i + 8 * j);
  const float largest = largestOf(numbers);
  const bool isFinite = largest < __builtin_inff();
  const bool counts = isFinite && !(largest < 1e-35f);
  const float scale = counts ? largest * (1.0f / kSteps) : isFinite ? 0.0f : __builtin_nanf("");
  const __m256 by = _mm256_set1_ps(counts ? kSteps / largest : 0.0f);
  const __m256i mask = _mm256_set1_epi32(counts ? -1 : 0);
  __m256i codes[4];
  __m256i high[4];
  __m256i low[4];
  for (int j = 0; j < 4; j++) {
    codes[j] = _mm256_and_si256(_mm256_cvtps_epi32(_mm256_mul_ps(numbers[j], by)), mask);
    high[j] = fine ? _mm256_srai_epi32(_mm256_add_epi32(codes[j], _mm256_set1_epi32(64)), 7) : codes[j];
    low[j] = _mm256_sub_epi32(codes[j], _mm256_slli_epi32(high[j], 7));
  }
  storeBytes(high, row + i);
  if constexpr (fine) storeBytes(low, row + places.low + i);
  const int32_t sums[2] = {sumOfWords(_mm256_add_epi32(codes[0], codes[1])),
                           sumOfWords(_mm256_add_epi32(codes[2], codes[3]))};
  const int64_t g = i / 32;
  reinterpret_cast<float*>(row + places.scales)[g] = scale;
  reinterpret_cast<float*>(row + places.sumsOf32)[g] = scale * static_cast<float>(sums[0] + sums[1]);
  reinterpret_cast<int32_t*>(row + places.negatedOf32)[g] = -(sums[0] + sums[1]);
  for (int half = 0; half < 2; half++) {
    reinterpret_cast<float*>(row + places.sumsOf16)[2 * g + half] = scale * static_cast<float>(sums[half]);
    reinterpret_cast<int32_t*>(row + places.negatedOf16)[2 * g + half] = -sums[half];
  }
}

POCKET_INLINE void quantize_rows(const Call& call, int64_t from, int64_t to) {
  const int64_t cols = call.size[QuantizeRows::kCols];
  const int64_t rowBytes = call.size[QuantizeRows::kRowBytes];
  const RoundedRowPlaces places(cols);
  for (int64_t r = from; r < to; r++) {
    const float* x = static_cast<const float*>(call.in[0]) + r * cols;
    uint8_t* row = static_cast<uint8_t*>(call.out[0]) + r * rowBytes;
    if (call.decodes != nullptr && call.decodes[r / call.size[QuantizeRows::kUnitsOfRow]]) {
      for (int64_t i = 0; i < cols; i += 32) roundGroup<true>(x, i, row, places);
    } else {
      for (int64_t i = 0; i < cols; i += 32) roundGroup<false>(x, i, row, places);
    }
  }
}

}  // namespace
