// The sums of int8_tile_neon.h by smmla: runs of eight, in tiles of two weight rows and two rows of x.
#pragma once

#include <arm_neon.h>

#include "unpacked_rows.h"

namespace {

constexpr int kRowsAtOnce = 4;

/** Two rows of bytes side by side: their first eights, or their second. */
POCKET_INLINE int8x16_t eightsOf(int8x16_t a, int8x16_t b, int which) {
  const int64x2_t x = vreinterpretq_s64_s8(a);
  const int64x2_t y = vreinterpretq_s64_s8(b);
  return vreinterpretq_s8_s64(which == 0 ? vzip1q_s64(x, y) : vzip2q_s64(x, y));
}

/** a[which], b[which], a[which], b[which] */
POCKET_INLINE float32x4_t inTurn(float32x4_t a, float32x4_t b, int which) {
  const float32x4_t pairs = which < 2 ? vzip1q_f32(a, b) : vzip2q_f32(a, b);
  const float32x2_t pair = which % 2 == 0 ? vget_low_f32(pairs) : vget_high_f32(pairs);
  return vcombine_f32(pair, pair);
}

/** sums[m][n] for n < outs and m < rowCount, without lows. A single out is taken twice. */
template <class Format, int outs, int rowCount>
POCKET_INLINE void int8Sums(const UnpackedRows& w, const QuantizedRow* x, int64_t k, float (*sums)[4]) {
  constexpr int kOutPairs = outs == 1 ? 1 : outs / 2;
  constexpr int kRowPairs = rowCount / 2;
  const auto* weights = reinterpret_cast<const int8_t*>(w.codes);
  // Of each tile two chains, for runs with even and with odd numbers.
  float32x4_t acc[kOutPairs][kRowPairs][2] = {};
  for (int64_t g = 0; g < k / 32; g++) {
    float32x4_t scales[rowCount];
    for (int m = 0; m < rowCount; m++) scales[m] = vld1q_f32(x[m].scales + 4 * g);
#pragma GCC unroll 2
    for (int h = 0; h < 2; h++) {
      const int64_t at = 32 * g + 16 * h;
      const int64_t group = Format::kGroup == 32 ? g : 2 * g + h;
      int8x16_t codes[rowCount];
      for (int m = 0; m < rowCount; m++) codes[m] = vld1q_s8(x[m].codes + at);
#pragma GCC unroll 2
      for (int p = 0; p < kOutPairs; p++) {
        const int64_t first = 2 * p;
        const int64_t second = outs == 1 ? 0 : first + 1;
        const int8x16_t a = vld1q_s8(weights + first * k + at);
        const int8x16_t b = vld1q_s8(weights + second * k + at);
        const float32x4_t steps = vcombine_f32(vdup_n_f32(w.steps[first * w.stepStride + group]),
                                               vdup_n_f32(w.steps[second * w.stepStride + group]));
#pragma GCC unroll 2
        for (int q = 0; q < kRowPairs; q++) {
#pragma GCC unroll 2
          for (int run = 0; run < 2; run++) {
            const int8x16_t ofX = eightsOf(codes[2 * q], codes[2 * q + 1], run);
            const int32x4_t products = vmmlaq_s32(vdupq_n_s32(0), eightsOf(a, b, run), ofX);
            const float32x4_t scale = vmulq_f32(steps, inTurn(scales[2 * q], scales[2 * q + 1], 2 * h + run));
            acc[p][q][run] = vfmaq_f32(acc[p][q][run], vcvtq_f32_s32(products), scale);
          }
        }
      }
    }
  }
  for (int p = 0; p < kOutPairs; p++) {
    for (int q = 0; q < kRowPairs; q++) {
      float tile[4];
      vst1q_f32(tile, vaddq_f32(acc[p][q][0], acc[p][q][1]));
      for (int i = 0; i < (outs == 1 ? 2 : 4); i++) sums[2 * q + i % 2][2 * p + i / 2] = tile[i];
    }
  }
}

}  // namespace
