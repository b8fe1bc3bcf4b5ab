// relative_importance: importance of columns as encode reads it, one unit.
//
//   out[c] = max(importance[c] / mean(importance), 1e-6); 1 where the mean is 0
//
// So a block no column of which counts is kept too. The mean is summed in double precision. A number that is not finite
// or below 0 is refused.
#pragma once

#include "../refusal.h"

namespace {

struct RelativeImportanceSizes {
  enum Size { kCols };
};

inline void relative_importance(const Call& call, int64_t, int64_t) {
  const int64_t cols = call.size[RelativeImportanceSizes::kCols];
  const float* importance = static_cast<const float*>(call.in[0]);
  float* out = static_cast<float*>(call.out[0]);
  double sum = 0;
  for (int64_t c = 0; c < cols; c++) {
    sum += importance[c];
    if (!isFinite(importance[c]) || importance[c] < 0) refuse(call, 0, c, importance[c]);
  }
  const double mean = sum / static_cast<double>(cols);
  for (int64_t c = 0; c < cols; c++) {
    const double relative = mean > 0 ? importance[c] / mean : 1;
    out[c] = relative > 1e-6 ? static_cast<float>(relative) : 1e-6f;
  }
}

}  // namespace
