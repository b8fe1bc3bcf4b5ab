// pool, one unit a range of rows.
//
//   out[s, c] = mean, first or last over ranges[s, 0] <= r < ranges[s, 1] of x[r, c]     x: [rows, cols] f32
//
// The mean is summed in f64 in the order of r. A range that x does not have comes out as NaN.
#pragma once

#include "../../vector/f32x8.h"
#include "../call.h"

namespace {

struct Pool {
  enum Size { kRows, kCols };
  enum Attribute { kFunction };
  enum Function { kMean, kFirst, kLast };
};

POCKET_INLINE void pool(const Call& call, int64_t from, int64_t to) {
  const int64_t rows = call.size[Pool::kRows];
  const int64_t cols = call.size[Pool::kCols];
  const int function = static_cast<int>(call.attribute[Pool::kFunction]);
  const float* x = static_cast<const float*>(call.in[0]);
  for (int64_t s = from; s < to; s++) {
    const int32_t* range = static_cast<const int32_t*>(call.in[1]) + 2 * s;
    float* out = static_cast<float*>(call.out[0]) + s * cols;
    const bool known = range[0] >= 0 && range[0] < range[1] && range[1] <= rows;
    const int64_t first = function == Pool::kLast ? range[1] - 1 : range[0];
    const int64_t end = function == Pool::kMean ? range[1] : first + 1;
    for (int64_t c = 0; c < cols; c++) {
      double sum = 0;
      for (int64_t r = first; known && r < end; r++) sum += x[r * cols + c];
      out[c] = known ? static_cast<float>(sum / static_cast<double>(end - first)) : __builtin_nanf("");
    }
  }
}

}  // namespace
