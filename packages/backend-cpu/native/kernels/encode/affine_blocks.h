// Formats of 32 weights with a scale and an offset that are halves: q4_1 and q5_1.
#pragma once

#include "affine_runs.h"
#include "write.h"

namespace {

template <class BlockType, int highest>
struct AffineBlocks {
  typedef BlockType Block;
  static constexpr int kWeights = 32;
  static constexpr int kAtOnce = kLanes;

  /** Writes scales and offsets, and the codes to `codes`: block after block. */
  static void fit(const float* x, const float* importance, int count, uint8_t* codes, Block* out) {
    AffineRuns<kWeights, highest, true> runs;
    const Units units = unitsFor(runs.load(x, importance, kWeights, count));
    runs.bringDown(units);
    const auto round = [&](const Affine& exact) {
      return Affine{roundedToHalves(exact.scale, units), roundedToHalves(exact.offset, units)};
    };
    const Affine at = fitAffine(runs, round).at;
    runs.storeCodes(at, codes);
    const f32x8 scales = at.scale * units.up;
    const f32x8 offsets = at.offset * units.up;
    for (int b = 0; b < count; b++) {
      out[b].scale = halfOfFloat(scales[b]);
      out[b].min = halfOfFloat(offsets[b]);
    }
  }
};

struct encoder_q4_1 : AffineBlocks<pocket_q4_1, 15> {
  static void encode(const float* x, const float* importance, int count, Block* out) {
    uint8_t codes[kLanes * kWeights];
    fit(x, importance, count, codes, out);
    for (int b = 0; b < count; b++) writeNibbles(codes + kWeights * b, kWeights, 16, out[b].q);
  }
};

struct encoder_q5_1 : AffineBlocks<pocket_q5_1, 31> {
  static void encode(const float* x, const float* importance, int count, Block* out) {
    uint8_t codes[kLanes * kWeights];
    fit(x, importance, count, codes, out);
    for (int b = 0; b < count; b++) {
      writeNibbles(codes + kWeights * b, kWeights, 16, out[b].q);
      out[b].q_high = fifthBits(codes + kWeights * b);
    }
  }
};

}  // namespace
