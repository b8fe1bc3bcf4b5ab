// select_rows, one unit a selected row.
//
//   out[s, c] = x[selection[s], c]     x: [rows, cols] f32   selection: [selected] i32
//
// A row that x does not have comes out as NaN.
#pragma once

#include "../../vector/f32x8.h"
#include "../call.h"

namespace {

struct SelectRows {
  enum Size { kRows, kCols };
};

POCKET_INLINE void select_rows(const Call& call, int64_t from, int64_t to) {
  const int64_t rows = call.size[SelectRows::kRows];
  const int64_t cols = call.size[SelectRows::kCols];
  const int32_t* selection = static_cast<const int32_t*>(call.in[1]);
  for (int64_t s = from; s < to; s++) {
    float* out = static_cast<float*>(call.out[0]) + s * cols;
    const int64_t row = selection[s];
    if (row >= 0 && row < rows) {
      memcpy(out, static_cast<const float*>(call.in[0]) + row * cols, static_cast<size_t>(cols) * sizeof(float));
    } else {
      for (int64_t c = 0; c < cols; c++) out[c] = __builtin_nanf("");
    }
  }
}

}  // namespace
