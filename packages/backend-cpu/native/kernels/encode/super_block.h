// Blocks whose runs have steps of scale * sub-level (SubLevels): first the best step of each run alone, then a scale
// for all of them, then, in turn, a code for each run out of the one it has and its neighbours, and the scale that suits
// all codes best.
//
// `Runs` are kGroups groups of eight runs:
//
//     f32x8 candidate(c, group)      steps worth a try, c < kCandidates
//     void snap(steps, sums)         chooses the nearest values at a step for each run, and takes the sums
#pragma once

#include "scalar_runs.h"

namespace {

/** The scale at which codes times it come closest to some values, by importance; not yet a half. */
template <int levels>
float commonStep(const float* values, const float* importance, int count, const SubLevels<levels>& sub) {
  float largest = 0;
  for (int i = 0; i < count; i++) largest = __builtin_fabsf(values[i]) > __builtin_fabsf(largest) ? values[i] : largest;
  if (largest == 0) return 0;
  const float last = sub.first + sub.gap * (levels - 1);
  const float ends[2] = {last, sub.first};
  float best = 0;
  float bestGain = 0;
  for (int e = 0; e < (sub.first < 0 && sub.first != -last ? 2 : 1); e++) {
    // A candidate in each lane.
    const f32x8 gaps = f32x8{-0.8f, -0.4f, 0, 0.4f, 0.8f, 1.2f, 1.6f, 2} * splat(sub.gap);
    const f32x8 step = splat(largest) / (splat(ends[e]) + (ends[e] < 0 ? -gaps : gaps));
    const f32x8 inverse = inverseOf(step);
    Sums sums{splat(0.0f), splat(0.0f)};
    for (int i = 0; i < count; i++) {
      const f32x8 code = sub.nearestCode(splat(values[i]) * inverse);
      const f32x8 v = sub.valueOf(code);
      const f32x8 scaled = splat(importance[i]) * v;
      sums.xv = multiplyAdd(scaled, splat(values[i]), sums.xv);
      sums.vv = multiplyAdd(scaled, v, sums.vv);
    }
    const f32x8 gains = gainOfBestStep(sums);
    for (int r = 0; r < kLanes; r++) {
      if (gains[r] > bestGain) {
        bestGain = gains[r];
        best = sums.xv[r] / sums.vv[r];
      }
    }
  }
  return best;
}

template <int groups>
struct SuperBlock {
  /** The bits of a half. */
  uint16_t scale;
  uint8_t subCodes[groups * kLanes];
  /** Of each run, in the units that its weights stand in. */
  f32x8 steps[groups];
};

template <class Runs, int levels>
SuperBlock<Runs::kGroups> fitSuperBlock(const Runs& runs, const SubLevels<levels>& sub, const Units& units) {
  constexpr int kGroups = Runs::kGroups;
  f32x8 steps[kGroups];
  // How much it costs to miss the best step of a run.
  f32x8 curvatures[kGroups];
  f32x8 gains[kGroups];
  Sums sums[kGroups];
  f32x8 tried[kGroups];
  for (int g = 0; g < kGroups; g++) steps[g] = curvatures[g] = gains[g] = splat(0.0f);
  for (int c = 0; c < Runs::kCandidates; c++) {
    for (int g = 0; g < kGroups; g++) tried[g] = runs.candidate(c, g);
    runs.snap(tried, sums);
    for (int g = 0; g < kGroups; g++) {
      const f32x8 gain = gainOfBestStep(sums[g]);
      const i32x8 better = gain > gains[g];
      gains[g] = better ? gain : gains[g];
      steps[g] = better ? sums[g].xv / sums[g].vv : steps[g];
      curvatures[g] = better ? sums[g].vv : curvatures[g];
    }
  }

  float values[kGroups * kLanes];
  float importance[kGroups * kLanes];
  memcpy(values, steps, sizeof values);
  memcpy(importance, curvatures, sizeof importance);
  f32x8 scale = roundedToHalves(splat(commonStep(values, importance, kGroups * kLanes, sub)), units);
  f32x8 codes[kGroups];
  for (int g = 0; g < kGroups; g++) codes[g] = sub.nearestCode(steps[g] * inverseOf(scale));

  f32x8 bestScale = splat(0.0f);
  float bestGain = 0;
  f32x8 bestCodes[kGroups];
  for (int g = 0; g < kGroups; g++) bestCodes[g] = sub.nearestCode(splat(0.0f));
  for (int round = 0; round < kRounds; round++) {
    f32x8 around[kGroups];
    Sums kept[kGroups];
    for (int g = 0; g < kGroups; g++) {
      around[g] = codes[g];
      gains[g] = splat(-__builtin_inff());
      kept[g] = {splat(0.0f), splat(0.0f)};
    }
    for (int n = -1; n <= 1; n++) {
      f32x8 triedCodes[kGroups];
      for (int g = 0; g < kGroups; g++) {
        triedCodes[g] = clamped(around[g] + splat(static_cast<float>(n)), splat(0.0f), splat(sub.kHighestCode));
        tried[g] = scale * sub.valueOf(triedCodes[g]);
      }
      runs.snap(tried, sums);
      for (int g = 0; g < kGroups; g++) {
        const f32x8 gain = gainOf(sums[g], tried[g]);
        const i32x8 better = gain > gains[g];
        gains[g] = better ? gain : gains[g];
        codes[g] = better ? triedCodes[g] : codes[g];
        kept[g].xv = better ? sums[g].xv : kept[g].xv;
        kept[g].vv = better ? sums[g].vv : kept[g].vv;
      }
    }
    float gain = 0;
    float xv = 0;
    float vv = 0;
    for (int g = 0; g < kGroups; g++) {
      const f32x8 value = sub.valueOf(codes[g]);
      gain += sumOf(gains[g]);
      xv += sumOf(value * kept[g].xv);
      vv += sumOf(value * value * kept[g].vv);
    }
    if (!(gain > bestGain)) break;
    bestGain = gain;
    bestScale = scale;
    memcpy(bestCodes, codes, sizeof bestCodes);
    scale = roundedToHalves(splat(xv / vv), units);
    // Where nothing has moved, nothing will.
    bool moved = scale[0] != bestScale[0];
    for (int g = 0; g < kGroups; g++) moved = moved || anyOf(codes[g] != around[g]);
    if (!moved) break;
  }

  SuperBlock<kGroups> block;
  const f32x8 stored = bestScale * units.up;
  block.scale = halfOfFloat(stored[0]);
  for (int g = 0; g < kGroups; g++) {
    block.steps[g] = bestScale * sub.valueOf(bestCodes[g]);
    for (int r = 0; r < kLanes; r++) block.subCodes[kLanes * g + r] = static_cast<uint8_t>(bestCodes[g][r]);
  }
  return block;
}

/** The largest magnitude of each run of `size` weights that follow each other: eight runs a group. */
template <int size>
POCKET_INLINE void largestMagnitudes(const f32x8 (&x)[32], f32x8 (&largest)[256 / size / kLanes]) {
  for (int r = 0; r < 256 / size; r++) {
    f32x8 run = splat(0.0f);
    for (int e = 0; e < size / 8; e++) run = larger(run, magnitude(x[r * size / 8 + e]));
    largest[r / kLanes][r % kLanes] = largestOf(run);
  }
}

/** A block of 256 scalars in runs of `size`. */
template <class Levels, int size>
struct ScalarBlock {
  static constexpr int kGroups = 256 / size / kLanes;
  static constexpr int kCandidates = ScalarRuns<Levels, size>::kCandidates;
  ScalarRuns<Levels, size> groups[kGroups];

  Units load(const float* x, const float* importance) {
    float largest = 0;
    for (int g = 0; g < kGroups; g++) {
      groups[g].load(x + g * kLanes * size, importance + g * kLanes * size, size, kLanes);
      const float most = largestOf(magnitude(groups[g].largest));
      largest = most > largest ? most : largest;
    }
    const Units units = unitsFor(splat(largest));
    for (int g = 0; g < kGroups; g++) groups[g].bringDown(units);
    return units;
  }

  f32x8 candidate(int c, int group) const { return groups[group].candidate(c); }

  void snap(const f32x8* steps, Sums* sums) const {
    for (int g = 0; g < kGroups; g++) sums[g] = groups[g].snap(steps[g]);
  }

  void storeCodes(const f32x8* steps, uint8_t* codes) const {
    for (int g = 0; g < kGroups; g++) groups[g].storeCodes(steps[g], codes + g * kLanes * size);
  }
};

}  // namespace
