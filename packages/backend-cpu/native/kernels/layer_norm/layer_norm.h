// layer_norm, one unit a row.
//
//   out[r, c] = (x[r, c] - mean) / sqrt(variance + epsilon) * gain[c] + bias[c]     x, out: [rows, cols] f32
//
// Both sums in f64, in the order of c. Bound by the latency of those additions: encoders call it seldom.
#pragma once

#include <cmath>

#include "../../vector/f32x8.h"
#include "../call.h"

namespace {

struct LayerNorm {
  enum Size { kCols };
  enum Attribute { kEpsilon };
};

POCKET_INLINE void layer_norm(const Call& call, int64_t from, int64_t to) {
  const int64_t cols = call.size[LayerNorm::kCols];
  const float* gain = static_cast<const float*>(call.in[1]);
  const float* bias = static_cast<const float*>(call.in[2]);
  for (int64_t r = from; r < to; r++) {
    const float* x = static_cast<const float*>(call.in[0]) + r * cols;
    float* out = static_cast<float*>(call.out[0]) + r * cols;
    double sum = 0;
    for (int64_t c = 0; c < cols; c++) sum += x[c];
    const double mean = sum / static_cast<double>(cols);
    double squares = 0;
    for (int64_t c = 0; c < cols; c++) squares += (x[c] - mean) * (x[c] - mean);
    const double variance = squares / static_cast<double>(cols);
    const double factor = 1.0 / sqrt(variance + call.attribute[LayerNorm::kEpsilon]);
    for (int64_t c = 0; c < cols; c++) {
      out[c] = static_cast<float>((x[c] - mean) * factor * gain[c] + bias[c]);
    }
  }
}

}  // namespace
