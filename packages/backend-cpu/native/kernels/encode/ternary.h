// tq1_0 and tq2_0: 256 weights out of -1, 0 and 1 with one scale. For each number k of weights that are kept, the best
// are the largest k, at their mean magnitude; of all k the one that keeps most.
#pragma once

#include "lanes.h"
#include "pocketllm_abi.h"
#include "write.h"

namespace {

struct TernaryFit {
  uint16_t scale;
  /** 0, 1 and 2 for -1, 0 and 1. */
  uint8_t codes[256];
};

/** The order of 256 magnitudes, the largest first: by the four bytes of a float in turn; equals keep their order. */
inline void sortMagnitudes(const float* x, uint8_t* order) {
  uint32_t keys[256];
  uint8_t other[256];
  for (int i = 0; i < 256; i++) {
    keys[i] = ~bitsOfFloat(x[i]) & 0x7fffffff;
    order[i] = static_cast<uint8_t>(i);
  }
  uint8_t* from = order;
  uint8_t* to = other;
  for (int shift = 0; shift < 32; shift += 8) {
    uint16_t starts[257] = {};
    for (int i = 0; i < 256; i++) starts[(keys[i] >> shift & 255) + 1]++;
    for (int b = 0; b < 256; b++) starts[b + 1] = static_cast<uint16_t>(starts[b + 1] + starts[b]);
    for (int i = 0; i < 256; i++) to[starts[keys[from[i]] >> shift & 255]++] = from[i];
    uint8_t* swapped = from;
    from = to;
    to = swapped;
  }
}

inline TernaryFit fitTernary(const float* x, const float* importance) {
  uint8_t order[256];
  sortMagnitudes(x, order);
  double best = 0;
  double bestGain = 0;
  double sum = 0;
  double total = 0;
  for (const uint8_t i : order) {
    sum += static_cast<double>(importance[i]) * __builtin_fabsf(x[i]);
    total += importance[i];
    const double gain = sum * sum / total;
    if (gain > bestGain) {
      bestGain = gain;
      best = sum / total;
    }
  }
  TernaryFit fit;
  fit.scale = halfOfFloat(static_cast<float>(best < 65504 ? best : 65504));
  const float scale = floatOfHalf(fit.scale);
  for (int i = 0; i < 256; i++) {
    const bool kept = __builtin_fabsf(x[i]) > scale / 2 && scale > 0;
    fit.codes[i] = static_cast<uint8_t>(!kept ? 1 : x[i] < 0 ? 0 : 2);
  }
  return fit;
}

struct encoder_tq2_0 {
  typedef pocket_tq2_0 Block;
  static constexpr int kWeights = 256;
  static constexpr int kAtOnce = 1;
  static void encode(const float* x, const float* importance, int, Block* out) {
    const TernaryFit fit = fitTernary(x, importance);
    writeTwoBits(fit.codes, 0, out->q);
    out->scale = fit.scale;
  }
};

struct encoder_tq1_0 {
  typedef pocket_tq1_0 Block;
  static constexpr int kWeights = 256;
  static constexpr int kAtOnce = 1;

  /** Numbers of five digits, the digits of one as far apart as the run of bytes is long. */
  static void writeRun(const uint8_t* codes, int bytes, int digits, uint8_t* out) {
    for (int m = 0; m < bytes; m++) {
      int number = 0;
      for (int n = 0; n < 5; n++) number = 3 * number + (n < digits ? codes[bytes * n + m] : 0);
      // A fraction of 243, rounded up to one of 256, so that each digit comes out by a multiplication.
      out[m] = static_cast<uint8_t>((number * 256 + 242) / 243);
    }
  }

  static void encode(const float* x, const float* importance, int, Block* out) {
    const TernaryFit fit = fitTernary(x, importance);
    writeRun(fit.codes, 32, 5, out->q);
    writeRun(fit.codes + 160, 16, 5, out->q + 32);
    writeRun(fit.codes + 240, 4, 4, out->q_last);
    out->scale = fit.scale;
  }
};

}  // namespace
