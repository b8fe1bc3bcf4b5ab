// Formats without a search: f32, f16 and bf16, a number of which is a block of one, q8_0 and q1_0.
#pragma once

#include "lanes.h"
#include "pocketllm_abi.h"

namespace {

struct encoder_f32 {
  typedef float Block;
  static constexpr int kWeights = 1;
  static constexpr int kAtOnce = 512;
  static void encode(const float* x, const float*, int count, Block* out) {
    memcpy(out, x, static_cast<size_t>(count) * sizeof(float));
  }
};

struct encoder_f16 {
  typedef uint16_t Block;
  static constexpr int kWeights = 1;
  static constexpr int kAtOnce = 512;
  static void encode(const float* x, const float*, int count, Block* out) {
    for (int i = 0; i < count; i++) out[i] = halfOfFloat(x[i]);
  }
};

struct encoder_bf16 {
  typedef uint16_t Block;
  static constexpr int kWeights = 1;
  static constexpr int kAtOnce = 512;
  static void encode(const float* x, const float*, int count, Block* out) {
    for (int i = 0; i < count; i++) {
      const uint32_t bits = bitsOfFloat(x[i]);
      const uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
      out[i] = static_cast<uint16_t>((bits & 0x7fffffff) > 0x7f800000 ? bits >> 16 | 64 : rounded);
    }
  }
};

/**
 * A scale of the largest magnitude / 127, rounded half away from zero: the rule that every engine follows, bit for bit.
 * A scale that a half cannot hold is the nearest that it can.
 */
struct encoder_q8_0 {
  typedef pocket_q8_0 Block;
  static constexpr int kWeights = 32;
  static constexpr int kAtOnce = 1;
  static void encode(const float* x, const float*, int, Block* out) {
    f32x8 rows[4];
    memcpy(rows, x, sizeof rows);
    const float scale = largestOf(magnitude(largestOfRuns(rows))) / 127.0f;
    const f32x8 inverse = splat(scale == 0 ? 0.0f : 1.0f / scale);
    for (int i = 0; i < 4; i++) {
      const f32x8 scaled = rows[i] * inverse;
      const f32x8 size = clamped(magnitude(scaled), splat(0.0f), splat(127.0f));
      const f32x8 whole = __builtin_convertvector(__builtin_convertvector(size, i32x8), f32x8);
      const f32x8 code = size - whole >= splat(0.5f) ? whole + splat(1.0f) : whole;
      const i32x8 numbers = __builtin_convertvector(scaled < splat(0.0f) ? -code : code, i32x8);
      for (int k = 0; k < kLanes; k++) out->q[kLanes * i + k] = static_cast<int8_t>(numbers[k]);
    }
    out->scale = halfOfFloat(scale < 65504.0f ? scale : 65504.0f);
  }
};

/** The best scale for signs is the mean magnitude. */
struct encoder_q1_0 {
  typedef pocket_q1_0 Block;
  static constexpr int kWeights = 128;
  static constexpr int kAtOnce = 1;
  static void encode(const float* x, const float* importance, int, Block* out) {
    const Units units = unitsOfBlock(x, kWeights);
    f32x8 magnitudes = splat(0.0f);
    f32x8 total = splat(0.0f);
    for (int i = 0; i < kWeights; i += 8) {
      const f32x8 weights = load8(x + i);
      const f32x8 part = load8(importance + i);
      magnitudes = multiplyAdd(part, magnitude(weights) * units.down, magnitudes);
      total += part;
      const i32x8 positive = weights >= splat(0.0f);
      int byte = 0;
      for (int k = 0; k < 8; k++) byte |= (positive[k] & 1) << k;
      out->q[i / 8] = static_cast<uint8_t>(byte);
    }
    const f32x8 scale = roundedToHalves(splat(sumOf(magnitudes) / sumOf(total)), units) * units.up;
    out->scale = halfOfFloat(scale[0]);
  }
};

}  // namespace
