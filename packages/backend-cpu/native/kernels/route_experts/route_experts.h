// route_experts, one unit a row.
//
//   p = softmax(logits[r, :])     ids[r, :] = the `slots` largest p     weights[r, j] = p[ids[r, j]] / sum * scale
//
// In f64, as the reference does it: which expert is chosen must not hang on rounding. p stands in the memory of
// the thread.
#pragma once

#include <cmath>

#include "../call.h"
#include "../top_k/largest.h"

namespace {

struct RouteExperts {
  enum Size { kExperts, kSlots };
  enum Attribute { kNormalize, kScale };
  enum Normalize { kSum, kNone };
};

POCKET_INLINE void route_experts(const Call& call, int64_t from, int64_t to) {
  const int64_t experts = call.size[RouteExperts::kExperts];
  const int64_t slots = call.size[RouteExperts::kSlots];
  const bool normalizes = call.attribute[RouteExperts::kNormalize] == RouteExperts::kSum;
  double* p = reinterpret_cast<double*>(call.threadScratch);
  for (int64_t r = from; r < to; r++) {
    const float* logits = static_cast<const float*>(call.in[0]) + r * experts;
    int32_t* ids = static_cast<int32_t*>(call.out[0]) + r * slots;
    float* weights = static_cast<float*>(call.out[1]) + r * slots;
    double most = logits[0];
    for (int64_t e = 1; e < experts; e++) most = logits[e] > most ? logits[e] : most;
    double total = 0;
    for (int64_t e = 0; e < experts; e++) {
      p[e] = exp(logits[e] - most);
      total += p[e];
    }
    for (int64_t e = 0; e < experts; e++) p[e] /= total;
    largestOfRow(p, experts, slots, ids);
    double sum = 0;
    for (int64_t j = 0; j < slots; j++) sum += p[ids[j]];
    const double divisor = normalizes ? (sum > 6.1e-5 || sum != sum ? sum : 6.1e-5) : 1.0;
    for (int64_t j = 0; j < slots; j++) {
      weights[j] = static_cast<float>(p[ids[j]] / divisor * call.attribute[RouteExperts::kScale]);
    }
  }
}

}  // namespace
