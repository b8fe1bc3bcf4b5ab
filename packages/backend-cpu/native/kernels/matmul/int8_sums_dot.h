// The sums of int8_tile_neon.h by sdot: runs of four, one for each lane, eight lanes for 32 weights.
#pragma once

#include <arm_neon.h>

#include "unpacked_rows.h"

namespace {

constexpr int kRowsAtOnce = 2;

/** sums[m][n] for n < outs and m < rowCount, without lows. */
template <class Format, int outs, int rowCount>
POCKET_INLINE void int8Sums(const UnpackedRows& w, const QuantizedRow* x, int64_t k, float (*sums)[4]) {
  float32x4_t acc[outs][rowCount][2] = {};
  for (int64_t g = 0; g < k / 32; g++) {
    int8x16_t codes[rowCount][2];
    float32x4_t scales[rowCount][2];
#pragma GCC unroll 4
    for (int m = 0; m < rowCount; m++) {
      for (int h = 0; h < 2; h++) {
        codes[m][h] = vld1q_s8(x[m].codes + 32 * g + 16 * h);
        scales[m][h] = vld1q_f32(x[m].scales + 8 * g + 4 * h);
      }
    }
#pragma GCC unroll 4
    for (int n = 0; n < outs; n++) {
      const float* steps = w.steps + n * w.stepStride;
#pragma GCC unroll 2
      for (int h = 0; h < 2; h++) {
        const int8x16_t weights = vld1q_s8(reinterpret_cast<const int8_t*>(w.codes) + n * k + 32 * g + 16 * h);
        const float32x4_t step = vdupq_n_f32(Format::kGroup == 32 ? steps[g] : steps[2 * g + h]);
#pragma GCC unroll 4
        for (int m = 0; m < rowCount; m++) {
          const float32x4_t sum = vcvtq_f32_s32(vdotq_s32(vdupq_n_s32(0), weights, codes[m][h]));
          acc[n][m][h] = vfmaq_f32(acc[n][m][h], sum, vmulq_f32(step, scales[m][h]));
        }
      }
    }
  }
  for (int n = 0; n < outs; n++) {
    for (int m = 0; m < rowCount; m++) sums[m][n] = vaddvq_f32(acc[n][m][0]) + vaddvq_f32(acc[n][m][1]);
  }
}

}  // namespace
