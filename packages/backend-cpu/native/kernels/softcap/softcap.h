// softcap, one unit an element.
//
//   out[i] = cap * tanh(x[i] / cap)
//
// out may be an input. Bound by memory.
#pragma once

#include "../each_element.h"
#include "../../vector/functions.h"

namespace {

struct Softcap {
  enum Attribute { kCap };
};

POCKET_INLINE void softcap(const Call& call, int64_t from, int64_t to) {
  const float* x = static_cast<const float*>(call.in[0]);
  const float* y = static_cast<const float*>(call.in[0]);
  float* out = static_cast<float*>(call.out[0]);
  const float cap = static_cast<float>(call.attribute[Softcap::kCap]);
  eachElement(x, y, out, from, to, [cap](auto a, auto) { return cap * hyperbolicTangent(a / cap); });
}

}  // namespace
