// The loop of the ops that compute each element by itself: eight at a time, sixteen with AVX-512, then the rest in one
// more pass. An element's result does not depend on where it stands.
#pragma once

#include "../vector/f32x8.h"
#ifdef __AVX512F__
#include "../vector/f32x16.h"
#endif
#include "call.h"

/** out[i] = function(x[i], y[i]) for from <= i < to, for vectors of any width. out may be x or y. */
template <class Function>
POCKET_INLINE void eachElement(const float* x, const float* y, float* out, int64_t from, int64_t to,
                               Function function) {
  int64_t i = from;
#ifdef __AVX512F__
  for (; i + 16 <= to; i += 16) store16(out + i, function(load16(x + i), load16(y + i)));
#endif
  for (; i + 8 <= to; i += 8) store8(out + i, function(load8(x + i), load8(y + i)));
  if (i < to) storePart(out + i, function(loadPart(x + i, to - i), loadPart(y + i, to - i)), to - i);
}
