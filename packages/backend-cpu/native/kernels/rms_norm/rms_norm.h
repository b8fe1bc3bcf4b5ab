// rms_norm, one unit a group of a row.
//
//   out[g, c] = x[g, c] / sqrt(sum over c of x[g, c]^2 / n + epsilon) * gain[c]     x, out: [rows * groups, n] f32
//
// The sum runs in eight lanes and four chains, in an order that depends on n alone. Bound by memory.
#pragma once

#include <cmath>

#include "../../vector/f32x8.h"
#include "../call.h"

namespace {

struct RmsNorm {
  enum Size { kGroupSize };
  enum Attribute { kEpsilon };
};

POCKET_INLINE float sumOfSquares(const float* x, int64_t n) {
  f32x8 sums[4] = {};
  int64_t c = 0;
  for (; c + 32 <= n; c += 32) {
    for (int k = 0; k < 4; k++) {
      const f32x8 v = load8(x + c + 8 * k);
      sums[k] = multiplyAdd(v, v, sums[k]);
    }
  }
  for (; c + 8 <= n; c += 8) {
    const f32x8 v = load8(x + c);
    sums[0] = multiplyAdd(v, v, sums[0]);
  }
  if (c < n) {
    const f32x8 v = loadPart(x + c, n - c);
    sums[1] = multiplyAdd(v, v, sums[1]);
  }
  return sumOf((sums[0] + sums[1]) + (sums[2] + sums[3]));
}

POCKET_INLINE void rms_norm(const Call& call, int64_t from, int64_t to) {
  const int64_t n = call.size[RmsNorm::kGroupSize];
  const float* gain = static_cast<const float*>(call.in[1]);
  for (int64_t g = from; g < to; g++) {
    const float* x = static_cast<const float*>(call.in[0]) + g * n;
    float* out = static_cast<float*>(call.out[0]) + g * n;
    const double mean = static_cast<double>(sumOfSquares(x, n)) / static_cast<double>(n);
    const float factor = static_cast<float>(1.0 / sqrt(mean + call.attribute[RmsNorm::kEpsilon]));
    for (int64_t c = 0; c < n; c++) out[c] = x[c] * factor * gain[c];
  }
}

}  // namespace
