// Runs of weights that share a step: each weight is stored as step times a value out of a set (levels.h).
//
// Given the values v of a run, storing them with `step` lowers the squared error, weighted by importance w, against
// storing zeros by step * (2 * sum(w x v) - step * sum(w v^2)): its gain. At the best step, sum(w x v) / sum(w v^2),
// that is sum(w x v)^2 / sum(w v^2), by which choices of values compare.
#pragma once

#include "levels.h"

namespace {

/** sum(w x v) and sum(w v^2) of each run. */
struct Sums {
  f32x8 xv;
  f32x8 vv;
};

POCKET_INLINE f32x8 gainOf(const Sums& sums, f32x8 step) {
  return step * (splat(2.0f) * sums.xv - step * sums.vv);
}

POCKET_INLINE f32x8 gainOfBestStep(const Sums& sums) {
  return sums.vv > splat(0.0f) ? sums.xv * sums.xv / sums.vv : splat(0.0f);
}

/** Steps for each end of the levels at which the largest weight comes to lie near it. */
constexpr int kReaches = 8;

/**
 * Between one gap inside the end and two outside: cutting off the largest costs less, the fewer levels there are. Gives
 * what the largest weight is divided by.
 */
template <class Levels>
constexpr float reachOf(int candidate) {
  const int end = candidate / kReaches;
  const float gaps = -0.8f + 0.4f * static_cast<float>(candidate % kReaches);
  return Levels::endValue(end) + gaps * Levels::endGap(end) * (Levels::endValue(end) < 0 ? -1.0f : 1.0f);
}

template <class Levels, int count>
struct ScalarRuns {
  static constexpr int kCandidates = kReaches * Levels::kEnds;
  f32x8 x[count];
  f32x8 importance[count];
  f32x8 largest;

  /** Runs that begin `stride` apart. */
  void load(const float* from, const float* importanceFrom, int stride, int runs) {
    loadRuns(from, stride, runs, x);
    loadRuns(importanceFrom, stride, runs, importance);
    largest = largestOfRuns(x);
  }

  void bringDown(const Units& units) {
    for (int i = 0; i < count; i++) x[i] *= units.down;
    largest *= units.down;
  }

  f32x8 candidate(int c) const { return largest * splat(1.0f / reachOf<Levels>(c)); }

  /** The sums for the values that are nearest at a step. */
  Sums snap(f32x8 step) const {
    const f32x8 inverse = inverseOf(step);
    Sums sums{splat(0.0f), splat(0.0f)};
    for (int i = 0; i < count; i++) {
      const f32x8 v = Levels::nearest(x[i] * inverse);
      const f32x8 scaled = importance[i] * v;
      sums.xv = multiplyAdd(scaled, x[i], sums.xv);
      sums.vv = multiplyAdd(scaled, v, sums.vv);
    }
    return sums;
  }

  /** The codes of those values, run after run. */
  void storeCodes(f32x8 step, uint8_t* codes) const {
    const f32x8 inverse = inverseOf(step);
    f32x8 found[count];
    for (int i = 0; i < count; i++) found[i] = Levels::codeOf(Levels::nearest(x[i] * inverse));
    storeRuns(found, codes);
  }
};

/** How often values and scale are fitted to each other in turn, at most; most runs stand still earlier. */
constexpr int kRounds = 4;

/** The scale of each run, kept as a half: the best of its candidates, then fitted. Counted in the given units. */
template <class Runs>
f32x8 fitScales(const Runs& runs, const Units& units) {
  f32x8 found = splat(0.0f);
  f32x8 foundGain = splat(0.0f);
  for (int c = 0; c < Runs::kCandidates; c++) {
    const Sums sums = runs.snap(runs.candidate(c));
    const f32x8 gain = gainOfBestStep(sums);
    const i32x8 better = gain > foundGain;
    foundGain = better ? gain : foundGain;
    found = better ? sums.xv / sums.vv : found;
  }
  f32x8 scale = roundedToHalves(found, units);
  f32x8 best = splat(0.0f);
  f32x8 bestGain = splat(0.0f);
  for (int round = 0; round < kRounds; round++) {
    const Sums sums = runs.snap(scale);
    const f32x8 gain = gainOf(sums, scale);
    const i32x8 better = gain > bestGain;
    if (!anyOf(better)) break;
    bestGain = better ? gain : bestGain;
    best = better ? scale : best;
    // A run that stands still keeps its scale, so that it stands still in every round that follows.
    scale = better ? roundedToHalves(sums.xv / sums.vv, units) : scale;
  }
  return best;
}

}  // namespace
