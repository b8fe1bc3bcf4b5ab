// How a kernel says that it cannot take a number: of all that are refused, the first of the lowest row stays.
#pragma once

#include "../formats/half.h"
#include "call.h"

namespace {

POCKET_INLINE bool isFinite(float x) { return (bitsOfFloat(x) & 0x7f800000) != 0x7f800000; }

/** Whether all of n numbers are finite. */
POCKET_INLINE bool areFinite(const float* x, int64_t n) {
  i32x8 found = splat(int32_t{0});
  const i32x8 exponent = splat(int32_t{0x7f800000});
  int64_t i = 0;
  for (; i + 8 <= n; i += 8) found |= ((i32x8)load8(x + i) & exponent) == exponent;
  if (i < n) found |= ((i32x8)loadPart(x + i, n - i) & exponent) == exponent;
  int32_t any = 0;
  for (int k = 0; k < 8; k++) any |= found[k];
  return any == 0;
}

inline void refuse(const Call& call, int64_t row, int64_t column, float x) {
  const RefusedKind kind = x != x ? RefusedKind::kNaN
                           : isFinite(x) ? RefusedKind::kNegative
                           : x > 0       ? RefusedKind::kInfinite
                                         : RefusedKind::kNegativeInfinite;
  const int64_t found = ((row << 32 | column) << 2) | static_cast<int64_t>(kind);
  int64_t known = __atomic_load_n(call.refused, __ATOMIC_RELAXED);
  while (found < known) {
    if (__atomic_compare_exchange_n(call.refused, &known, found, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return;
  }
}

}  // namespace
