// Runs of weights that are stored as scale * code + offset, with codes from 0 to `highest`.
#pragma once

#include "scalar_runs.h"

namespace {

struct Affine {
  f32x8 scale;
  f32x8 offset;
};

/** Sums over each run: importance times what the name says (code, code^2, x * code), and the weighted squared error. */
struct AffineSums {
  f32x8 q;
  f32x8 qq;
  f32x8 xq;
  f32x8 error;
};

POCKET_INLINE AffineSums chosen(i32x8 condition, const AffineSums& yes, const AffineSums& no) {
  return {condition ? yes.q : no.q, condition ? yes.qq : no.qq, condition ? yes.xq : no.xq,
          condition ? yes.error : no.error};
}

/** `positiveOffset`: legacy formats store any offset, K formats only those below 0. */
template <int count, int highest, bool positiveOffset>
struct AffineRuns {
  static constexpr int kCandidates = 16;
  f32x8 x[count];
  f32x8 importance[count];
  /** Sums of importance, and of importance * x. */
  f32x8 sumW;
  f32x8 sumX;
  f32x8 lowest;
  f32x8 width;

  /** Runs that begin `stride` apart. Gives the largest magnitude of each. */
  f32x8 load(const float* from, const float* importanceFrom, int stride, int runs) {
    loadRuns(from, stride, runs, x);
    loadRuns(importanceFrom, stride, runs, importance);
    return magnitude(largestOfRuns(x));
  }

  void bringDown(const Units& units) {
    for (int i = 0; i < count; i++) x[i] *= units.down;
    sumW = sumX = splat(0.0f);
    f32x8 least = x[0];
    f32x8 most = x[0];
    for (int i = 0; i < count; i++) {
      sumW += importance[i];
      sumX = multiplyAdd(importance[i], x[i], sumX);
      least = x[i] < least ? x[i] : least;
      most = x[i] > most ? x[i] : most;
    }
    if (!positiveOffset) least = least < splat(0.0f) ? least : splat(0.0f);
    lowest = least;
    width = most > least ? most - least : splat(0.0f);
  }

  /** From the smallest weight on, steps that put the largest between one step inside and two outside the codes. */
  Affine candidate(int c) const {
    return {width * splat(1.0f / (static_cast<float>(highest - 1) + 0.2f * static_cast<float>(c))), lowest};
  }

  /** The sums for the nearest codes. */
  AffineSums snap(const Affine& at) const {
    const f32x8 inverse = inverseOf(at.scale);
    AffineSums sums{splat(0.0f), splat(0.0f), splat(0.0f), splat(0.0f)};
    for (int i = 0; i < count; i++) {
      const f32x8 above = x[i] - at.offset;
      const f32x8 code = nearestInteger(clamped(above * inverse, splat(0.0f), splat(float{highest})));
      const f32x8 miss = multiplyAdd(-at.scale, code, above);
      const f32x8 scaled = importance[i] * code;
      sums.q += scaled;
      sums.qq = multiplyAdd(scaled, code, sums.qq);
      sums.xq = multiplyAdd(scaled, x[i], sums.xq);
      sums.error = multiplyAdd(importance[i] * miss, miss, sums.error);
    }
    return sums;
  }

  /** The scale and offset of least error for codes with such sums. */
  Affine solve(const AffineSums& sums) const {
    const f32x8 zero = splat(0.0f);
    const f32x8 determinant = sumW * sums.qq - sums.q * sums.q;
    const i32x8 unique = determinant > zero;
    Affine best;
    best.offset = unique ? (sums.qq * sumX - sums.q * sums.xq) / determinant : sumX / sumW;
    best.scale = unique ? (sumW * sums.xq - sumX * sums.q) / determinant : zero;
    if (!positiveOffset) {
      const i32x8 above = best.offset > zero;
      const f32x8 alone = sums.qq > zero ? sums.xq / sums.qq : zero;
      best.scale = above ? alone : best.scale;
      best.offset = above ? zero : best.offset;
    }
    return best;
  }

  void storeCodes(const Affine& at, uint8_t* codes) const {
    const f32x8 inverse = inverseOf(at.scale);
    f32x8 found[count];
    for (int i = 0; i < count; i++) {
      found[i] = nearestInteger(clamped((x[i] - at.offset) * inverse, splat(0.0f), splat(float{highest})));
    }
    storeRuns(found, codes);
  }
};

/** A scale and an offset that were found, and the sums at them. */
struct AffineFit {
  Affine at;
  AffineSums sums;
};

/** The scale and offset of least error that are found for each run, of those that `round` gives. */
template <class Runs, class Round>
AffineFit fitAffine(const Runs& runs, Round round) {
  AffineFit best;
  best.at = {splat(0.0f), splat(0.0f)};
  best.sums = runs.snap(best.at);
  const auto consider = [&](const Affine& exact) {
    const Affine at = round(exact);
    const AffineSums sums = runs.snap(at);
    const i32x8 better = sums.error < best.sums.error;
    best.at.scale = better ? at.scale : best.at.scale;
    best.at.offset = better ? at.offset : best.at.offset;
    best.sums = chosen(better, sums, best.sums);
    return anyOf(better);
  };
  for (int c = 0; c < Runs::kCandidates; c++) consider(runs.solve(runs.snap(runs.candidate(c))));
  // A run that stands still is solved to the same again, which is no better.
  for (int i = 0; i < kRounds && consider(runs.solve(best.sums)); i++) continue;
  return best;
}

}  // namespace
