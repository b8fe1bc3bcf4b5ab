// mask_logits, one unit a row.
//
//   out[r, c] = bit c mod 32 of mask[r, c / 32] is set ? x[r, c] : -infinity     x, out: [rows, cols] f32
//
// out may be x.
#pragma once

#include "../../vector/f32x8.h"
#include "../call.h"

namespace {

struct MaskLogits {
  enum Size { kCols };
};

POCKET_INLINE void mask_logits(const Call& call, int64_t from, int64_t to) {
  const int64_t cols = call.size[MaskLogits::kCols];
  const int64_t words = (cols + 31) / 32;
  for (int64_t r = from; r < to; r++) {
    const float* x = static_cast<const float*>(call.in[0]) + r * cols;
    const int32_t* mask = static_cast<const int32_t*>(call.in[1]) + r * words;
    float* out = static_cast<float*>(call.out[0]) + r * cols;
    for (int64_t c = 0; c < cols; c++) out[c] = mask[c >> 5] >> (c & 31) & 1 ? x[c] : -__builtin_inff();
  }
}

}  // namespace
