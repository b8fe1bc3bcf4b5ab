// Formats of small blocks with one scale each: q4_0, q5_0, q2_0, iq4_nl; mxfp4 and nvfp4, whose scales are eight bits.
#pragma once

#include "scalar_runs.h"
#include "write.h"

namespace {

/** Blocks of `weights` scalars with a scale that is a half. */
template <class BlockType, class Levels, int weights>
struct ScaledBlocks {
  typedef BlockType Block;
  static constexpr int kWeights = weights;
  static constexpr int kAtOnce = kLanes;

  /** Writes the scales, and the codes to `codes`: block after block. */
  static void fit(const float* x, const float* importance, int count, uint8_t* codes, Block* out) {
    ScalarRuns<Levels, weights> runs;
    runs.load(x, importance, weights, count);
    const Units units = unitsFor(runs.largest);
    runs.bringDown(units);
    const f32x8 scales = fitScales(runs, units);
    runs.storeCodes(scales, codes);
    const f32x8 stored = scales * units.up;
    for (int b = 0; b < count; b++) out[b].scale = halfOfFloat(stored[b]);
  }
};

struct encoder_q4_0 : ScaledBlocks<pocket_q4_0, IntegerLevels<-8, 7>, 32> {
  static void encode(const float* x, const float* importance, int count, Block* out) {
    uint8_t codes[kLanes * kWeights];
    fit(x, importance, count, codes, out);
    for (int b = 0; b < count; b++) writeNibbles(codes + kWeights * b, kWeights, 16, out[b].q);
  }
};

struct encoder_iq4_nl : ScaledBlocks<pocket_iq4_nl, Iq4Levels, 32> {
  static void encode(const float* x, const float* importance, int count, Block* out) {
    uint8_t codes[kLanes * kWeights];
    fit(x, importance, count, codes, out);
    for (int b = 0; b < count; b++) writeNibbles(codes + kWeights * b, kWeights, 16, out[b].q);
  }
};

struct encoder_q5_0 : ScaledBlocks<pocket_q5_0, IntegerLevels<-16, 15>, 32> {
  static void encode(const float* x, const float* importance, int count, Block* out) {
    uint8_t codes[kLanes * kWeights];
    fit(x, importance, count, codes, out);
    for (int b = 0; b < count; b++) {
      writeNibbles(codes + kWeights * b, kWeights, 16, out[b].q);
      out[b].q_high = fifthBits(codes + kWeights * b);
    }
  }
};

struct encoder_q2_0 : ScaledBlocks<pocket_q2_0, IntegerLevels<-1, 2>, 64> {
  static void encode(const float* x, const float* importance, int count, Block* out) {
    uint8_t codes[kLanes * kWeights];
    fit(x, importance, count, codes, out);
    for (int b = 0; b < count; b++) {
      const uint8_t* q = codes + kWeights * b;
      for (int j = 0; j < 16; j++) {
        out[b].q[j] = static_cast<uint8_t>(q[4 * j] | q[4 * j + 1] << 2 | q[4 * j + 2] << 4 | q[4 * j + 3] << 6);
      }
    }
  }
};

/** Of steps that come as numbers (stepOf), the best from `from` to `to`, the first of equals. */
template <class Runs, class StepOf>
i32x8 bestNumber(const Runs& runs, i32x8 from, i32x8 to, int most, StepOf stepOf) {
  i32x8 best = from;
  f32x8 bestGain = splat(-__builtin_inff());
  for (int n = 0; n < most; n++) {
    const i32x8 number = from + splat(int32_t{n});
    const f32x8 step = stepOf(number);
    const f32x8 gain = gainOf(runs.snap(step), step);
    const i32x8 better = (gain > bestGain) & (number <= to);
    bestGain = better ? gain : bestGain;
    best = better ? number : best;
  }
  return best;
}

POCKET_INLINE i32x8 within(i32x8 x, int32_t low, int32_t high) {
  x = x > splat(low) ? x : splat(low);
  return x < splat(high) ? x : splat(high);
}

struct encoder_mxfp4 {
  typedef pocket_mxfp4 Block;
  static constexpr int kWeights = 32;
  static constexpr int kAtOnce = kLanes;

  static void encode(const float* x, const float* importance, int count, Block* out) {
    ScalarRuns<Fp4Levels, 32> runs;
    runs.load(x, importance, kWeights, count);
    const Units units = unitsFor(runs.largest);
    const i32x8 unit = ((i32x8)units.up >> 23) - splat(int32_t{127});
    runs.bringDown(units);
    // The smallest exponent at which the largest weight is not cut off, 12 * 2^(exponent - 128) being the highest
    // value; smaller ones may suit the others better.
    const f32x8 size = magnitude(runs.largest);
    const i32x8 power = ((i32x8)size >> 23) - splat(int32_t{127}) + unit;
    const i32x8 mantissa = (i32x8)size & splat(int32_t{0x7fffff});
    const i32x8 fits = power + (mantissa > splat(int32_t{0x400000}) ? splat(int32_t{126}) : splat(int32_t{125}));
    const i32x8 fitting = within(fits, 0, 254);
    const auto stepOf = [&](i32x8 exponent) {
      // Steps too small for a normal number stand for zeros: in these units they are far below every weight.
      return (f32x8)(within(exponent - splat(int32_t{1}) - unit, 0, 254) << 23);
    };
    const i32x8 exponents = bestNumber(runs, within(fitting - splat(int32_t{2}), 0, 254), fitting, 3, stepOf);
    uint8_t codes[kLanes * kWeights];
    runs.storeCodes(stepOf(exponents), codes);
    for (int b = 0; b < count; b++) {
      out[b].exponent = static_cast<uint8_t>(exponents[b]);
      writeNibbles(codes + kWeights * b, kWeights, 16, out[b].q);
    }
  }
};

struct encoder_nvfp4 {
  typedef pocket_nvfp4 Block;
  static constexpr int kWeights = 64;
  static constexpr int kSubBlock = 16;
  static constexpr int kAtOnce = kLanes * kSubBlock / kWeights;
  static constexpr int kLargestByte = 126;

  /** What the doubled values are multiplied by: half of an UE4M3 number. */
  static constexpr float scaleOf(int byte) {
    float power = 0x1p-10f;
    for (int e = 1; e < byte >> 3; e++) power *= 2;
    return static_cast<float>(byte < 8 ? byte : 8 + (byte & 7)) * power;
  }
  struct Scales {
    float at[kLargestByte + 1];
  };
  static constexpr Scales scales() {
    Scales all{};
    for (int byte = 0; byte <= kLargestByte; byte++) all.at[byte] = scaleOf(byte);
    return all;
  }

  static void encode(const float* x, const float* importance, int count, Block* out) {
    static constexpr Scales kScales = scales();
    ScalarRuns<Fp4Levels, kSubBlock> runs;
    runs.load(x, importance, kSubBlock, 4 * count);
    // The smallest scale at which the largest weight is not cut off; others nearby may suit the rest better.
    i32x8 fitting;
    for (int r = 0; r < kLanes; r++) {
      const float size = runs.largest[r] < 0 ? -runs.largest[r] : runs.largest[r];
      int from = 0;
      int to = kLargestByte;
      while (from < to) {
        const int middle = (from + to) / 2;
        if (12 * kScales.at[middle] < size) {
          from = middle + 1;
        } else {
          to = middle;
        }
      }
      fitting[r] = from;
    }
    const Units units = unitsFor(runs.largest);
    runs.bringDown(units);
    const auto stepOf = [&](i32x8 bytes) {
      f32x8 steps;
      for (int r = 0; r < kLanes; r++) steps[r] = kScales.at[bytes[r] > kLargestByte ? kLargestByte : bytes[r]];
      return steps * units.down;
    };
    const i32x8 first = within(fitting - splat(int32_t{8}), 0, kLargestByte);
    const i32x8 last = within(fitting + splat(int32_t{4}), 0, kLargestByte);
    const i32x8 bytes = bestNumber(runs, first, last, 13, stepOf);
    uint8_t codes[kLanes * kSubBlock];
    runs.storeCodes(stepOf(bytes), codes);
    for (int b = 0; b < count; b++) {
      for (int s = 0; s < 4; s++) out[b].sub_scales[s] = static_cast<uint8_t>(bytes[4 * b + s]);
      writeNibbles(codes + kWeights * b, kWeights, 8, out[b].q);
    }
  }
};

}  // namespace
