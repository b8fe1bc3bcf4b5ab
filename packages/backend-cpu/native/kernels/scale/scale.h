// scale, one unit an element.
//
//   out[i] = x[i] * factor
//
// out may be an input. Bound by memory.
#pragma once

#include "../each_element.h"

namespace {

struct Scale {
  enum Attribute { kFactor };
};

POCKET_INLINE void scale(const Call& call, int64_t from, int64_t to) {
  const float* x = static_cast<const float*>(call.in[0]);
  const float* y = static_cast<const float*>(call.in[0]);
  float* out = static_cast<float*>(call.out[0]);
  const float factor = static_cast<float>(call.attribute[Scale::kFactor]);
  eachElement(x, y, out, from, to, [factor](auto a, auto) { return a * factor; });
}

}  // namespace
