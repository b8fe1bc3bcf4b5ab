// Eight runs of weights side by side, a run in each lane: what is done to one is done to all, and no sum crosses lanes.
// So what a run is encoded as depends on nothing but itself.
#pragma once

#include "../../formats/half.h"

namespace {

constexpr int kLanes = 8;

/** The nearest integer, ties to even, for magnitudes below 2^22. */
POCKET_INLINE f32x8 nearestInteger(f32x8 x) {
  const f32x8 shifter = splat(12582912.0f);  // 1.5 * 2^23: no bits are left for a fraction
  return x + shifter - shifter;
}

/** What is no number becomes `low`. */
POCKET_INLINE f32x8 clamped(f32x8 x, f32x8 low, f32x8 high) {
  x = x > low ? x : low;
  return x < high ? x : high;
}

/** Whether any lane of a comparison holds. */
POCKET_INLINE bool anyOf(i32x8 condition) {
#ifdef __AVX2__
  return _mm256_movemask_ps((__m256)condition) != 0;
#else
  int32_t bits = 0;
  for (int r = 0; r < kLanes; r++) bits |= condition[r];
  return bits != 0;
#endif
}

/** 1 / step; 0 for steps that stand for storing zeros. */
POCKET_INLINE f32x8 inverseOf(f32x8 step) {
  return magnitude(step) > splat(1e-30f) ? splat(1.0f) / step : splat(0.0f);
}

/** The power of two that brings weights down to where no square overflows or vanishes, and the one that undoes it. */
struct Units {
  f32x8 down;
  f32x8 up;
};

/** For weights up to `largest`: the largest becomes 1 to 2, within what the exponent of a single can say. */
POCKET_INLINE Units unitsFor(f32x8 largest) {
  i32x8 exponent = ((i32x8)magnitude(largest) >> 23) - splat(int32_t{127});
  exponent = exponent > splat(int32_t{-120}) ? exponent : splat(int32_t{-120});
  exponent = exponent < splat(int32_t{120}) ? exponent : splat(int32_t{120});
  return {(f32x8)((splat(int32_t{127}) - exponent) << 23), (f32x8)((splat(int32_t{127}) + exponent) << 23)};
}

/** For `count` weights of one block, a multiple of eight. */
POCKET_INLINE Units unitsOfBlock(const float* x, int count) {
  f32x8 largest = splat(0.0f);
  for (int i = 0; i < count; i += 8) largest = larger(largest, magnitude(load8(x + i)));
  return unitsFor(splat(largestOf(largest)));
}

/** The nearest values that finite halves hold, of numbers that count in the given units. */
POCKET_INLINE f32x8 roundedToHalves(f32x8 x, const Units& units) {
  x = clamped(x * units.up, splat(-65504.0f), splat(65504.0f));
#ifdef __F16C__
  x = (f32x8)_mm256_cvtph_ps(_mm256_cvtps_ph((__m256)x, 0));
#else
  for (int r = 0; r < kLanes; r++) x[r] = floatOfHalf(halfOfFloat(x[r]));
#endif
  return x * units.down;
}

/** Weight i of each run, for runs that begin `stride` apart; zeros where there are fewer than eight. */
template <int count>
POCKET_INLINE void loadRuns(const float* x, int stride, int runs, f32x8 (&lanes)[count]) {
  alignas(32) float turned[count][kLanes];
  for (int r = 0; r < kLanes; r++) {
    for (int i = 0; i < count; i++) turned[i][r] = r < runs ? x[r * stride + i] : 0.0f;
  }
  memcpy(lanes, turned, sizeof lanes);
}

/** Small numbers at least 0 of each run, as bytes: run after run. */
template <int count>
POCKET_INLINE void storeRuns(const f32x8 (&lanes)[count], uint8_t* bytes) {
  alignas(32) int32_t turned[count][kLanes];
  for (int i = 0; i < count; i++) {
    const i32x8 numbers = __builtin_convertvector(lanes[i], i32x8);
    memcpy(turned[i], &numbers, sizeof numbers);
  }
  for (int r = 0; r < kLanes; r++) {
    for (int i = 0; i < count; i++) bytes[r * count + i] = static_cast<uint8_t>(turned[i][r]);
  }
}

/** The weight of largest magnitude of each run, with its sign. */
template <int count>
POCKET_INLINE f32x8 largestOfRuns(const f32x8 (&x)[count]) {
  f32x8 largest = splat(0.0f);
  for (int i = 0; i < count; i++) largest = magnitude(x[i]) > magnitude(largest) ? x[i] : largest;
  return largest;
}

}  // namespace
