// quantize_rows, one unit a row, NEON: the activations of a matmul, once for all matmuls that read them.
//
//   x: [rows, cols] f32   out: [rows] rows as quantized_row.h lays them out, with kRowBytes from one to the next
//
// cols is a multiple of 32. With matrix products a run of numbers with one scale has eight, else four. A run of which
// one number is not finite gets the scale NaN, so that it spoils its own row and no other. A run below 1e-35 counts as
// zero: the inverse of its scale would overflow.
#pragma once

#include <arm_neon.h>

#include "../../vector/f32x8.h"
#include "../call.h"
#include "../matmul/quantized_row.h"

namespace {

struct QuantizeRows {
  enum Size { kCols, kRowBytes };
};

#ifdef __ARM_FEATURE_MATMUL_INT8
constexpr int kRun = 8;
#else
constexpr int kRun = 4;
#endif

/** Rounds one run; gives the sum of its codes. */
POCKET_INLINE int32_t quantizeRun(const float* x, int8_t* codes, float* scale) {
  float32x4_t values[kRun / 4];
  // Magnitudes compare like their bits, and what is no number stands above infinity.
  uint32x4_t most = vdupq_n_u32(0);
  for (int i = 0; i < kRun / 4; i++) {
    values[i] = vld1q_f32(x + 4 * i);
    most = vmaxq_u32(most, vreinterpretq_u32_f32(vabsq_f32(values[i])));
  }
  const uint32_t bits = vmaxvq_u32(most);
  float largest;
  memcpy(&largest, &bits, sizeof largest);
  float inverse = 0;
  *scale = 0;
  if (!(largest < __builtin_inff())) {
    *scale = __builtin_nanf("");
  } else if (largest >= 1e-35f) {
    inverse = 127.0f / largest;
    *scale = largest * (1.0f / 127.0f);
  }
  int32x4_t sum = vdupq_n_s32(0);
  for (int i = 0; i < kRun / 4; i++) {
    const int32x4_t rounded = vcvtnq_s32_f32(vmulq_n_f32(values[i], inverse));
    sum = vaddq_s32(sum, rounded);
    const int16x4_t narrow = vmovn_s32(rounded);
    const int8x8_t bytes = vmovn_s16(vcombine_s16(narrow, narrow));
    memcpy(codes + 4 * i, &bytes, 4);
  }
  return vaddvq_s32(sum);
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
    memset(sumsOf32, 0, static_cast<size_t>(row + rowBytes - reinterpret_cast<uint8_t*>(sumsOf32)));
    for (int64_t half = 0; half < cols / 16; half++) {
      float sum = 0;
      for (int64_t f = half * (16 / kRun); f < (half + 1) * (16 / kRun); f++) {
        sum += static_cast<float>(quantizeRun(x + kRun * f, codes + kRun * f, scales + f)) * scales[f];
      }
      sumsOf16[half] = sum;
      sumsOf32[half / 2] += sum;
    }
  }
}

}  // namespace
