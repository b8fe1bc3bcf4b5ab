// top_k, one unit a row.
//
//   values[r, j], ids[r, j] = the j-th largest x[r, c] and its c     x: [rows, cols] f32, cols below 2^31
#pragma once

#include "../call.h"
#include "largest.h"

namespace {

struct TopK {
  enum Size { kCols, kK };
};

POCKET_INLINE void top_k(const Call& call, int64_t from, int64_t to) {
  const int64_t cols = call.size[TopK::kCols];
  const int64_t k = call.size[TopK::kK];
  for (int64_t r = from; r < to; r++) {
    const float* x = static_cast<const float*>(call.in[0]) + r * cols;
    float* values = static_cast<float*>(call.out[0]) + r * k;
    int32_t* ids = static_cast<int32_t*>(call.out[1]) + r * k;
    largestOfRow(x, cols, k, ids);
    for (int64_t j = 0; j < k; j++) values[j] = x[ids[j]];
  }
}

}  // namespace
