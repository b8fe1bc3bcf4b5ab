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

POCKET_INLINE f32x8 silu(f32x8 x) { return x * sigmoid(x); }

POCKET_INLINE f32x8 geluTanh(f32x8 x) {
  const f32x8 cube = x * x * x;
  return x * sigmoid(splat(1.5957691216f) * multiplyAdd(splat(0.044715f), cube, x));
}

POCKET_INLINE f32x8 geluErf(f32x8 x) {
  f32x8 out;
  for (int i = 0; i < 8; i++) out[i] = static_cast<float>(0.5 * x[i] * erfc(-0.70710678118654752 * x[i]));
  return out;
}

POCKET_INLINE f32x8 geluQuick(f32x8 x) { return x * sigmoid(splat(1.702f) * x); }

POCKET_INLINE void activation(const Call& call, int64_t from, int64_t to) {
  const float* x = static_cast<const float*>(call.in[0]);
  float* out = static_cast<float*>(call.out[0]);
  switch (static_cast<int>(call.attribute[Activation::kFunction])) {
    case Activation::kSilu:
      return eachElement(x, x, out, from, to, [](f32x8 a, f32x8) { return silu(a); });
    case Activation::kGeluTanh:
      return eachElement(x, x, out, from, to, [](f32x8 a, f32x8) { return geluTanh(a); });
    case Activation::kGeluErf:
      return eachElement(x, x, out, from, to, [](f32x8 a, f32x8) { return geluErf(a); });
    default:
      return eachElement(x, x, out, from, to, [](f32x8 a, f32x8) { return geluQuick(a); });
  }
}

}  // namespace
