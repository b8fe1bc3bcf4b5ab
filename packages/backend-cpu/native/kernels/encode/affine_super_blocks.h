// Formats of 256 weights whose sub-blocks have a scale and a minimum, both codes, with a half for all scales and one for
// all minima: q2_k, q4_k and q5_k. A weight is scale * scaleCode * code - min * minCode.
//
// First the best of each sub-block alone, then the two halves, and then, in turn, better codes for each sub-block among
// the neighbours of those it has, and the two halves by least squares.
#pragma once

#include "affine_runs.h"
#include "super_block.h"

namespace {

template <int size, int highest, int subLevels>
struct AffineSuperBlock {
  static constexpr int kRuns = 256 / size;
  static constexpr int kGroups = kRuns / kLanes;
  typedef AffineRuns<size, highest, false> Runs;

  uint16_t scaleBits;
  uint16_t minBits;
  uint8_t scaleCodes[kRuns];
  uint8_t minCodes[kRuns];
  uint8_t codes[256];

  void fit(const float* x, const float* importance) {
    Runs runs[kGroups];
    float largest = 0;
    for (int g = 0; g < kGroups; g++) {
      const int from = g * kLanes * size;
      const float most = largestOf(runs[g].load(x + from, importance + from, size, kLanes));
      largest = most > largest ? most : largest;
    }
    const Units units = unitsFor(splat(largest));
    for (int g = 0; g < kGroups; g++) runs[g].bringDown(units);

    State state = start(runs, units);
    State best = state;
    float bestError = __builtin_inff();
    for (int round = 0; round < kRounds; round++) {
      AffineSums sums[kGroups];
      float error = 0;
      for (int g = 0; g < kGroups; g++) {
        sums[g] = improveCodes(runs[g], state, g);
        error += sumOf(sums[g].error);
      }
      if (!(error < bestError)) break;
      bestError = error;
      best = state;
      solve(runs, sums, units, state);
    }
    store(runs, best, units);
  }

 private:
  struct State {
    f32x8 scale;
    f32x8 min;
    f32x8 scaleCodes[kGroups];
    f32x8 minCodes[kGroups];
    Affine of(int g) const { return {scale * scaleCodes[g], -min * minCodes[g]}; }
  };

  static State start(const Runs* runs, const Units& units) {
    const auto exact = [](const Affine& at) { return at; };
    float values[2][kRuns];
    float curvatures[2][kRuns];
    for (int g = 0; g < kGroups; g++) {
      const AffineFit fit = fitAffine(runs[g], exact);
      store8(values[0] + kLanes * g, fit.at.scale);
      store8(values[1] + kLanes * g, -fit.at.offset);
      store8(curvatures[0] + kLanes * g, fit.sums.qq);
      store8(curvatures[1] + kLanes * g, runs[g].sumW);
    }
    constexpr SubLevels<subLevels> sub = plainSubLevels<subLevels>();
    f32x8 common[2];
    State state;
    for (int i = 0; i < 2; i++) {
      common[i] = roundedToHalves(splat(commonStep(values[i], curvatures[i], kRuns, sub)), units);
      for (int g = 0; g < kGroups; g++) {
        const f32x8 code = sub.nearestCode(load8(values[i] + kLanes * g) * inverseOf(common[i]));
        (i == 0 ? state.scaleCodes : state.minCodes)[g] = code;
      }
    }
    state.scale = common[0];
    state.min = common[1];
    return state;
  }

  /** Moves the codes of each run to neighbours where that pays. Gives the sums at the codes that it leaves. */
  static AffineSums improveCodes(const Runs& runs, State& state, int g) {
    AffineSums best = runs.snap(state.of(g));
    f32x8* const both[2] = {state.scaleCodes + g, state.minCodes + g};
    for (f32x8* codes : both) {
      const f32x8 around = *codes;
      f32x8 kept = around;
      for (int n = -1; n <= 1; n += 2) {
        *codes = clamped(around + splat(static_cast<float>(n)), splat(0.0f), splat(float{subLevels - 1}));
        const AffineSums sums = runs.snap(state.of(g));
        const i32x8 better = sums.error < best.error;
        kept = better ? *codes : kept;
        best = chosen(better, sums, best);
      }
      *codes = kept;
    }
    return best;
  }

  /** Scale and minimum of least squares for codes with such sums. */
  static void solve(const Runs* runs, const AffineSums* sums, const Units& units, State& state) {
    // Double precision: the determinant may be a small difference of large numbers.
    double aa = 0, ab = 0, bb = 0, xa = 0, xb = 0;
    for (int g = 0; g < kGroups; g++) {
      const f32x8 a = state.scaleCodes[g];
      const f32x8 b = state.minCodes[g];
      aa += sumOf(a * a * sums[g].qq);
      ab += sumOf(a * b * sums[g].q);
      bb += sumOf(b * b * runs[g].sumW);
      xa += sumOf(a * sums[g].xq);
      xb += sumOf(b * runs[g].sumX);
    }
    const double determinant = aa * bb - ab * ab;
    const double min = determinant > 0 ? (ab * xa - aa * xb) / determinant : 0;
    const double alone = aa > 0 ? xa / aa : 0;
    const double scale = min > 0 ? (xa * bb - ab * xb) / determinant : alone;
    state.min = roundedToHalves(splat(static_cast<float>(min > 0 ? min : 0)), units);
    state.scale = roundedToHalves(splat(static_cast<float>(scale)), units);
  }

  void store(const Runs* runs, const State& best, const Units& units) {
    const f32x8 scale = best.scale * units.up;
    const f32x8 min = best.min * units.up;
    scaleBits = halfOfFloat(scale[0]);
    minBits = halfOfFloat(min[0]);
    for (int g = 0; g < kGroups; g++) {
      runs[g].storeCodes(best.of(g), codes + g * kLanes * size);
      for (int r = 0; r < kLanes; r++) {
        scaleCodes[kLanes * g + r] = static_cast<uint8_t>(best.scaleCodes[g][r]);
        minCodes[kLanes * g + r] = static_cast<uint8_t>(best.minCodes[g][r]);
      }
    }
  }
};

struct encoder_q2_k {
  typedef pocket_q2_k Block;
  static constexpr int kWeights = 256;
  static constexpr int kAtOnce = 1;
  static void encode(const float* x, const float* importance, int, Block* out) {
    AffineSuperBlock<16, 3, 16> block;
    block.fit(x, importance);
    for (int s = 0; s < 16; s++) {
      out->sub_scales[s] = static_cast<uint8_t>(block.scaleCodes[s] | block.minCodes[s] << 4);
    }
    writeTwoBits(block.codes, 0, out->q);
    out->scale = block.scaleBits;
    out->min = block.minBits;
  }
};

/** What q4_k and q5_k have in common; eight scales and eight minima of six bits stand in twelve bytes. */
template <int highest, class Block>
AffineSuperBlock<32, highest, 64> encodeSixBitPairs(const float* x, const float* importance, Block* out) {
  AffineSuperBlock<32, highest, 64> block;
  block.fit(x, importance);
  out->scale = block.scaleBits;
  out->min = block.minBits;
  const uint8_t* scale = block.scaleCodes;
  const uint8_t* min = block.minCodes;
  for (int s = 0; s < 4; s++) {
    out->sub_scales[s] = static_cast<uint8_t>(scale[s] | scale[s + 4] >> 4 << 6);
    out->sub_scales[s + 4] = static_cast<uint8_t>(min[s] | min[s + 4] >> 4 << 6);
    out->sub_scales[s + 8] = static_cast<uint8_t>((scale[s + 4] & 15) | (min[s + 4] & 15) << 4);
  }
  return block;
}

struct encoder_q4_k {
  typedef pocket_q4_k Block;
  static constexpr int kWeights = 256;
  static constexpr int kAtOnce = 1;
  static void encode(const float* x, const float* importance, int, Block* out) {
    const auto block = encodeSixBitPairs<15>(x, importance, out);
    writeNibbles(block.codes, 256, 32, out->q);
  }
};

struct encoder_q5_k {
  typedef pocket_q5_k Block;
  static constexpr int kWeights = 256;
  static constexpr int kAtOnce = 1;
  static void encode(const float* x, const float* importance, int, Block* out) {
    const auto block = encodeSixBitPairs<31>(x, importance, out);
    writeNibbles(block.codes, 256, 32, out->q);
    writeOneBit(block.codes, 4, out->q_high);
  }
};

}  // namespace
