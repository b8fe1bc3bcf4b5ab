// gated_activation, one unit an element.
//
//   out[i] = function(gate[i]) * up[i]
//
// out may be gate or up.
#pragma once

#include "../activation/activation.h"

namespace {

struct GatedActivation {
  enum Attribute { kFunction };
  enum Function { kSilu, kGeluTanh };
};

POCKET_INLINE void gated_activation(const Call& call, int64_t from, int64_t to) {
  const float* gate = static_cast<const float*>(call.in[0]);
  const float* up = static_cast<const float*>(call.in[1]);
  float* out = static_cast<float*>(call.out[0]);
  if (call.attribute[GatedActivation::kFunction] == GatedActivation::kSilu) {
    eachElement(gate, up, out, from, to, [](auto a, auto b) { return silu(a) * b; });
  } else {
    eachElement(gate, up, out, from, to, [](auto a, auto b) { return geluTanh(a) * b; });
  }
}

}  // namespace
