// Weight rows of any block format taken apart for kernels with products of bytes.
#pragma once

#include "../../formats/decode_row.h"
#include "quantized_row.h"

namespace {

/** Weight rows taken apart; row n begins n times the stride further on. */
struct UnpackedRows {
  uint8_t* codes;
  float* steps;
  float* lows;
  int64_t stepStride;
};

template <class Format>
constexpr bool kHasLows = Format::kAffine || Format::kZero != 0;

/** Lows that stand for the code of zero. */
template <class Format>
POCKET_INLINE void lowsOfZero(const float* steps, int64_t groups, float* lows) {
  for (int64_t g = 0; g < groups; g++) lows[g] = steps[g] * static_cast<float>(-Format::kZero);
}

POCKET_INLINE void clearPadding(float* lows, int64_t groups) {
  for (int64_t g = groups; g < wholeEights(groups); g++) lows[g] = 0;
}

template <class Format>
POCKET_INLINE void unpackRow(const uint8_t* row, int64_t k, uint8_t* codes, float* steps, float* lows) {
  constexpr int kGroups = Format::kWeights / Format::kGroup;
  const auto* blocks = reinterpret_cast<const typename Format::Block*>(row);
  const int64_t count = k / Format::kWeights;
  for (int64_t b = 0; b < count; b++) {
    Format::unpack(blocks[b], codes + b * Format::kWeights, steps + b * kGroups, lows + b * kGroups);
  }
  if constexpr (Format::kZero != 0) lowsOfZero<Format>(steps, count * kGroups, lows);
  if constexpr (kHasLows<Format>) clearPadding(lows, count * kGroups);
}

}  // namespace
