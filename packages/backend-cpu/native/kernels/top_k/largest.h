// The k largest of a row, largest first. Of equal ones the smaller index comes first; NaN counts as smaller than
// -infinity. A heap with the last in order at its root: n comparisons, and log k for each that gets in. Floats are
// compared a run at a time, since almost none gets in: 150,000 are read at the rate of the cache.
#pragma once

#include "../../vector/f32x8.h"

namespace {

template <class Number>
POCKET_INLINE bool comesBefore(const Number* values, int32_t a, int32_t b) {
  const Number x = values[a];
  const Number y = values[b];
  if (x > y) return true;
  if (x < y) return false;
  if (x == y || (x != x && y != y)) return a < b;
  return y != y;
}

template <class Number>
POCKET_INLINE void siftDown(const Number* values, int32_t* heap, int64_t at, int64_t size) {
  const int32_t moved = heap[at];
  for (int64_t child = 2 * at + 1; child < size; child = 2 * at + 1) {
    if (child + 1 < size && comesBefore(values, heap[child], heap[child + 1])) child++;
    if (!comesBefore(values, moved, heap[child])) break;
    heap[at] = heap[child];
    at = child;
  }
  heap[at] = moved;
}

/** Whether any of eight comparisons is true. */
POCKET_INLINE bool anyOf(i32x8 condition) {
#ifdef __AVX2__
  return _mm256_movemask_ps((__m256)condition) != 0;
#else
  int64_t pairs[4];
  memcpy(pairs, &condition, sizeof pairs);
  return ((pairs[0] | pairs[1]) | (pairs[2] | pairs[3])) != 0;
#endif
}

/** Values that are looked at together. */
constexpr int64_t kLookedAt = 64;

/** Whether one of the next `count` <= kLookedAt values may come before an earlier one that is `root`. */
POCKET_INLINE bool mayComeBefore(const float* values, int64_t count, float root) {
  // All numbers come before NaN.
  if (count < kLookedAt || root != root) return true;
  i32x8 above = {};
#pragma GCC unroll 8
  for (int64_t i = 0; i < kLookedAt; i += 8) above |= load8(values + i) > splat(root);
  return anyOf(above);
}

POCKET_INLINE bool mayComeBefore(const double*, int64_t, double) { return true; }

/** Writes the indices of the k <= n largest of values[0] .. values[n - 1]. */
template <class Number>
POCKET_INLINE void largestOfRow(const Number* values, int64_t n, int64_t k, int32_t* ids) {
  for (int64_t i = 0; i < k; i++) ids[i] = static_cast<int32_t>(i);
  for (int64_t i = k / 2 - 1; i >= 0; i--) siftDown(values, ids, i, k);
  for (int64_t run = k; run < n; run += kLookedAt) {
    const int64_t end = run + kLookedAt < n ? run + kLookedAt : n;
    if (!mayComeBefore(values + run, end - run, values[ids[0]])) continue;
    for (int64_t c = run; c < end; c++) {
      if (!comesBefore(values, static_cast<int32_t>(c), ids[0])) continue;
      ids[0] = static_cast<int32_t>(c);
      siftDown(values, ids, 0, k);
    }
  }
  for (int64_t end = k - 1; end > 0; end--) {
    const int32_t last = ids[0];
    ids[0] = ids[end];
    ids[end] = last;
    siftDown(values, ids, 0, end);
  }
}

}  // namespace
