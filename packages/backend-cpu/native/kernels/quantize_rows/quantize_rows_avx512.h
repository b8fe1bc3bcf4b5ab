// quantize_rows, one unit a row, AVX-512: the activations of a matmul, once for all matmuls that read them.
//
//   x: [rows, cols] f32   out: [rows] rows as rounded_row.h lays them out, with kRowBytes from one to the next
//
// cols is a multiple of 32. 32 numbers of which one is not finite get the scale NaN, so that it spoils its own row
// and no other. 32 below 1e-35 count as zero: the inverse of their scale would overflow.
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

struct RoundedScale {
  __m512 inverse;
  float scale;
  /** None where a number is not finite: their codes are 0, and the scale spoils what they meet. */
  __mmask16 taken;
};

POCKET_INLINE RoundedScale scaleOf(__m512 a, __m512 b, float steps) {
  // Magnitudes compare like their bits, and what is no number stands above infinity.
  const __m512i sizes = _mm512_max_epi32(_mm512_castps_si512(_mm512_abs_ps(a)), _mm512_castps_si512(_mm512_abs_ps(b)));
  const int32_t most = _mm512_reduce_max_epi32(sizes);
  float largest;
  memcpy(&largest, &most, sizeof largest);
  if (!(largest < __builtin_inff())) return {_mm512_setzero_ps(), __builtin_nanf(""), 0};
  if (largest < 1e-35f) return {_mm512_setzero_ps(), 0.0f, 0xffff};
  return {_mm512_set1_ps(steps / largest), largest * (1.0f / steps), 0xffff};
}

/** 32 numbers from i on. */
template <bool fine>
POCKET_INLINE void roundGroup(const float* x, int64_t i, uint8_t* row, const RoundedRowPlaces& places) {
  const __m512 a = _mm512_loadu_ps(x + i);
  const __m512 b = _mm512_loadu_ps(x + i + 16);
  const RoundedScale by = scaleOf(a, b, fine ? kAnswerSteps : kPromptSteps);
  const __m512i first = _mm512_cvtps_epi32(_mm512_maskz_mul_ps(by.taken, a, by.inverse));
  const __m512i second = _mm512_cvtps_epi32(_mm512_maskz_mul_ps(by.taken, b, by.inverse));
  __m512i high[2] = {first, second};
  if constexpr (fine) {
    const __m512i half = _mm512_set1_epi32(64);
    high[0] = _mm512_srai_epi32(_mm512_add_epi32(first, half), 7);
    high[1] = _mm512_srai_epi32(_mm512_add_epi32(second, half), 7);
    const __m512i low[2] = {_mm512_sub_epi32(first, _mm512_slli_epi32(high[0], 7)),
                            _mm512_sub_epi32(second, _mm512_slli_epi32(high[1], 7))};
    __m128i* to = reinterpret_cast<__m128i*>(row + places.low + i);
    _mm_storeu_si128(to, _mm512_cvtepi32_epi8(low[0]));
    _mm_storeu_si128(to + 1, _mm512_cvtepi32_epi8(low[1]));
  }
  __m128i* to = reinterpret_cast<__m128i*>(row + i);
  _mm_storeu_si128(to, _mm512_cvtepi32_epi8(high[0]));
  _mm_storeu_si128(to + 1, _mm512_cvtepi32_epi8(high[1]));
  const int32_t sums[2] = {_mm512_reduce_add_epi32(first), _mm512_reduce_add_epi32(second)};
  const int64_t g = i / 32;
  reinterpret_cast<float*>(row + places.scales)[g] = by.scale;
  reinterpret_cast<float*>(row + places.sumsOf32)[g] = by.scale * static_cast<float>(sums[0] + sums[1]);
  reinterpret_cast<int32_t*>(row + places.negatedOf32)[g] = -(sums[0] + sums[1]);
  for (int half = 0; half < 2; half++) {
    reinterpret_cast<float*>(row + places.sumsOf16)[2 * g + half] = by.scale * static_cast<float>(sums[half]);
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
