// activation, one unit an element.
//
//   out[i] = function(x[i])
//
// The functions are those of packages/abi/src/ops/activation-function.ts, in forms that cancel nothing:
// x/2 * (1 + tanh(u)) = x * sigmoid(2u). out may be x.
#pragma once

#include <cmath>

#include "../../vector/functions.h"
#include "../each_element.h"

namespace {

struct Activation {
  enum Attribute { kFunction };
  enum Function { kSilu, kGeluTanh, kGeluErf, kGeluQuick };
};

template <class V>
POCKET_INLINE V silu(V x) {
  return x * sigmoid(x);
}

template <class V>
POCKET_INLINE V geluTanh(V x) {
  const V cube = x * x * x;
  return x * sigmoid(every<V>(1.5957691216f) * multiplyAdd(every<V>(0.044715f), cube, x));
}

template <class V>
POCKET_INLINE V geluErf(V x) {
  V out;
  for (size_t i = 0; i < sizeof x / sizeof(float); i++) out[i] = static_cast<float>(0.5 * x[i] * erfc(-0.70710678118654752 * x[i]));
  return out;
}

template <class V>
POCKET_INLINE V geluQuick(V x) {
  return x * sigmoid(every<V>(1.702f) * x);
}

POCKET_INLINE void activation(const Call& call, int64_t from, int64_t to) {
  const float* x = static_cast<const float*>(call.in[0]);
  float* out = static_cast<float*>(call.out[0]);
  switch (static_cast<int>(call.attribute[Activation::kFunction])) {
    case Activation::kSilu:
      return eachElement(x, x, out, from, to, [](auto a, auto) { return silu(a); });
    case Activation::kGeluTanh:
      return eachElement(x, x, out, from, to, [](auto a, auto) { return geluTanh(a); });
    case Activation::kGeluErf:
      return eachElement(x, x, out, from, to, [](auto a, auto) { return geluErf(a); });
    default:
      return eachElement(x, x, out, from, to, [](auto a, auto) { return geluQuick(a); });
  }
}

}  // namespace
