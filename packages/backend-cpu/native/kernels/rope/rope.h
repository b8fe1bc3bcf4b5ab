// rope, one unit a row, with a table of angles that all calls of a step with the same positions share.
//
//   (a, b) -> (a cos - b sin, a sin + b cos)     x, out: [rows, heads * headSize] f32
//
// angles: [rows, 2, dimensions / 2], cos and sin times the magnitude, formed in f64 by rope_angles. The values of
// a head from `dimensions` on pass through. out may be x.
#pragma once

#include <cmath>

#include "../../vector/f32x8.h"
#include "../call.h"

namespace {

struct Rope {
  enum Size { kHeads, kHeadSize, kDimensions };
  enum Attribute { kPairing };
  enum Pairing { kNeox, kInterleaved };
};

struct RopeAngles {
  enum Size { kDimensions };
  enum Attribute { kBase, kScale, kMagnitude };
};

/** angle(r, i) = positions[r] * scale * base^(-2i/dimensions) / frequencyFactors[i] */
POCKET_INLINE void rope_angles(const Call& call, int64_t from, int64_t to) {
  const int64_t dimensions = call.size[RopeAngles::kDimensions];
  const int32_t* positions = static_cast<const int32_t*>(call.in[0]);
  const float* factors = static_cast<const float*>(call.in[1]);
  const double magnitude = call.attribute[RopeAngles::kMagnitude];
  for (int64_t i = 0; i < dimensions / 2; i++) {
    const double power = -2.0 * static_cast<double>(i) / static_cast<double>(dimensions);
    const double frequency = call.attribute[RopeAngles::kScale] * pow(call.attribute[RopeAngles::kBase], power) /
                             (factors != nullptr ? static_cast<double>(factors[i]) : 1.0);
    for (int64_t r = from; r < to; r++) {
      float* out = static_cast<float*>(call.out[0]) + r * dimensions + i;
      const double angle = positions[r] * frequency;
      out[0] = static_cast<float>(cos(angle) * magnitude);
      out[dimensions / 2] = static_cast<float>(sin(angle) * magnitude);
    }
  }
}

/** Pairs (a[i * step], b[i * step]). */
template <int step>
POCKET_INLINE void rotatePairs(const float* a, const float* b, const float* cosines, const float* sines, int64_t pairs,
                               float* outA, float* outB) {
  for (int64_t i = 0; i < pairs; i++) {
    const float first = a[i * step];
    const float second = b[i * step];
    outA[i * step] = first * cosines[i] - second * sines[i];
    outB[i * step] = first * sines[i] + second * cosines[i];
  }
}

POCKET_INLINE void rope(const Call& call, int64_t from, int64_t to) {
  const int64_t heads = call.size[Rope::kHeads];
  const int64_t headSize = call.size[Rope::kHeadSize];
  const int64_t dimensions = call.size[Rope::kDimensions];
  const bool neox = call.attribute[Rope::kPairing] == Rope::kNeox;
  const int64_t half = dimensions / 2;
  for (int64_t r = from; r < to; r++) {
    const float* cosines = static_cast<const float*>(call.in[1]) + r * dimensions;
    const float* sines = cosines + half;
    for (int64_t h = 0; h < heads; h++) {
      const int64_t at = (r * heads + h) * headSize;
      const float* x = static_cast<const float*>(call.in[0]) + at;
      float* out = static_cast<float*>(call.out[0]) + at;
      if (neox) {
        rotatePairs<1>(x, x + half, cosines, sines, half, out, out + half);
      } else {
        rotatePairs<2>(x, x + 1, cosines, sines, half, out, out + 1);
      }
      if (out != x) {
        for (int64_t c = dimensions; c < headSize; c++) out[c] = x[c];
      }
    }
  }
}

}  // namespace
