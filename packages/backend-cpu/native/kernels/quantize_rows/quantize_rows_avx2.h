// quantize_rows, one unit a row, AVX2: the activations of a matmul, once for all matmuls that read them.
//
//   x: [rows, cols] f32   out: [rows] rows as quantized_row.h lays them out, with kRowBytes from one to the next
//
// cols is a multiple of 32. Four numbers of which one is not finite get the scale NaN, so that it spoils its own
// row and no other. Four below 1e-35 count as zero: the inverse of their scale would overflow.
#pragma once

#include <immintrin.h>

#include "../../vector/f32x8.h"
#include "../call.h"
#include "../matmul/quantized_row.h"

namespace {

struct QuantizeRows {
  enum Size { kCols, kRowBytes };
};

/** Eight numbers as rounded codes; scales[0 .. 7] gets the scale of the first four, then that of the last four. */
POCKET_INLINE __m256i quantizeEight(const float* x, float* scales) {
  const __m256 values = _mm256_loadu_ps(x);
  // Magnitudes compare like their bits, and what is no number stands above infinity.
  __m256i most = _mm256_and_si256(_mm256_castps_si256(values), _mm256_set1_epi32(0x7fffffff));
  most = _mm256_max_epi32(most, _mm256_shuffle_epi32(most, 0xb1));
  most = _mm256_max_epi32(most, _mm256_shuffle_epi32(most, 0x4e));
  const __m256 largest = _mm256_castsi256_ps(most);
  const __m256 isZero = _mm256_cmp_ps(largest, _mm256_set1_ps(1e-35f), _CMP_LT_OQ);
  const __m256 isFinite = _mm256_cmp_ps(largest, _mm256_set1_ps(__builtin_inff()), _CMP_LT_OQ);
  const __m256 inverse = _mm256_andnot_ps(isZero, _mm256_div_ps(_mm256_set1_ps(127.0f), largest));
  const __m256 scale = _mm256_andnot_ps(isZero, _mm256_mul_ps(largest, _mm256_set1_ps(1.0f / 127.0f)));
  _mm256_storeu_ps(scales, _mm256_blendv_ps(_mm256_set1_ps(__builtin_nanf("")), scale, isFinite));
  return _mm256_cvtps_epi32(_mm256_mul_ps(values, inverse));
}

/** 32 numbers: their codes, eight scales, and scale * code summed over the first and the last 16. */
POCKET_INLINE void quantizeGroup(const float* x, int8_t* codes, float* scales, float* sums) {
  float spread[32];
  __m256i rounded[4];
  for (int i = 0; i < 4; i++) rounded[i] = quantizeEight(x + 8 * i, spread + 8 * i);
  const __m256i low = _mm256_packs_epi32(rounded[0], rounded[1]);
  const __m256i high = _mm256_packs_epi32(rounded[2], rounded[3]);
  // Packing works within halves of registers; this puts the fours of codes back in order.
  const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
  const __m256i packed = _mm256_permutevar8x32_epi32(_mm256_packs_epi16(low, high), order);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(codes), packed);
  for (int j = 0; j < 8; j++) scales[j] = spread[4 * j];
  const __m256i pairs = _mm256_maddubs_epi16(_mm256_set1_epi8(1), packed);
  const __m256 fours = _mm256_cvtepi32_ps(_mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
  const f32x8 weighed = (f32x8)_mm256_mul_ps(fours, _mm256_loadu_ps(scales));
  sums[0] = (weighed[0] + weighed[1]) + (weighed[2] + weighed[3]);
  sums[1] = (weighed[4] + weighed[5]) + (weighed[6] + weighed[7]);
}

POCKET_INLINE void quantize_rows(const Call& call, int64_t from, int64_t to) {
  const int64_t cols = call.size[QuantizeRows::kCols];
  const int64_t rowBytes = call.size[QuantizeRows::kRowBytes];
  for (int64_t r = from; r < to; r++) {
    const float* x = static_cast<const float*>(call.in[0]) + r * cols;
    uint8_t* row = static_cast<uint8_t*>(call.out[0]) + r * rowBytes;
    int8_t* codes = reinterpret_cast<int8_t*>(row);
    float* scales = reinterpret_cast<float*>(row + cols);
    float* sumsOf32 = scales + cols / 4;
    float* sumsOf16 = sumsOf32 + wholeEights(cols / 32);
    memset(sumsOf32, 0, static_cast<size_t>(wholeEights(cols / 32) + wholeEights(cols / 16)) * sizeof(float));
    for (int64_t g = 0; g < cols / 32; g++) {
      quantizeGroup(x + 32 * g, codes + 32 * g, scales + 8 * g, sumsOf16 + 2 * g);
      sumsOf32[g] = sumsOf16[2 * g] + sumsOf16[2 * g + 1];
    }
  }
}

}  // namespace
