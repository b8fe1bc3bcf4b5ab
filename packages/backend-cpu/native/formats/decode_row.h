// A row of weights in any format as floats.
#pragma once

#include "code_books.h"
#include "k_blocks.h"
#include "plain_numbers.h"
#include "small_blocks.h"

namespace {

template <class Format>
POCKET_INLINE void decodeNumbers(const typename Format::Number* row, int64_t n, float* out) {
  int64_t i = 0;
  for (; i + 8 <= n; i += 8) store8(out + i, Format::load(row + i));
  for (; i < n; i++) out[i] = Format::toFloat(row[i]);
}

template <class Format>
POCKET_INLINE void decodeBlock(const typename Format::Block& block, float* out) {
  constexpr int kGroups = Format::kWeights / Format::kGroup;
  alignas(32) uint8_t codes[Format::kWeights];
  float steps[kGroups];
  float lows[kGroups];
  Format::unpack(block, codes, steps, lows);
  for (int g = 0; g < kGroups; g++) {
    const uint8_t* from = codes + Format::kGroup * g;
    float* to = out + Format::kGroup * g;
    const float step = steps[g];
    for (int i = 0; i < Format::kGroup; i++) {
      const int code = Format::kSigned ? static_cast<int8_t>(from[i]) : from[i] - Format::kZero;
      if constexpr (Format::kAffine) {
        to[i] = step * static_cast<float>(code) + lows[g];
      } else {
        to[i] = step * static_cast<float>(code);
      }
    }
  }
}

/** n weights: whole blocks, where the format has blocks. */
template <class Format>
POCKET_INLINE void decodeRow(const uint8_t* row, int64_t n, float* out) {
  if constexpr (Format::kPlain) {
    decodeNumbers<Format>(reinterpret_cast<const typename Format::Number*>(row), n, out);
  } else {
    const auto* blocks = reinterpret_cast<const typename Format::Block*>(row);
    for (int64_t b = 0; b * Format::kWeights < n; b++) {
      decodeBlock<Format>(blocks[b], out + b * Format::kWeights);
    }
  }
}

}  // namespace
