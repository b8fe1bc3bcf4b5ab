// multiply, one unit an element.
//
//   out[i] = x[i] * y[i]
//
// out may be an input. Bound by memory.
#pragma once

#include "../each_element.h"

namespace {

POCKET_INLINE void multiply(const Call& call, int64_t from, int64_t to) {
  const float* x = static_cast<const float*>(call.in[0]);
  const float* y = static_cast<const float*>(call.in[1]);
  float* out = static_cast<float*>(call.out[0]);
  eachElement(x, y, out, from, to, [](auto a, auto b) { return a * b; });
}

}  // namespace
