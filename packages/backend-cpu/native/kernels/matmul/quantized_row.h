// A row of activations rounded to eight bits in fours, for matmuls with weights in blocks.
//
//   x[i] ~ scales[i / 4] * codes[i]     scale = largest magnitude / 127, codes rounded to nearest even
//
// Fours, since a kernel sums four products as integers: a scale for each costs nothing there, and the rounding
// error is about a third less than with one scale for 32. Beside the codes stand the sums of scale * code over 16
// and over 32, for weights that have an offset; these lists are padded with zeros to whole vectors of eight.
#pragma once

#include <cstdint>

struct QuantizedRow {
  const int8_t* codes;
  const float* scales;
  const float* sumsOf32;
  const float* sumsOf16;
};

constexpr int64_t wholeEights(int64_t n) { return (n + 7) / 8 * 8; }

static inline __attribute__((always_inline)) QuantizedRow quantizedRowAt(const uint8_t* row, int64_t n) {
  QuantizedRow at;
  at.codes = reinterpret_cast<const int8_t*>(row);
  at.scales = reinterpret_cast<const float*>(row + n);
  at.sumsOf32 = at.scales + n / 4;
  at.sumsOf16 = at.sumsOf32 + wholeEights(n / 32);
  return at;
}
