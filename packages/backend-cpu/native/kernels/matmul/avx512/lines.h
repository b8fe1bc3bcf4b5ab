// Some blocks of a panel taken apart into memory, for several rows of x: a line of 64 bytes holds four weights of 16
// rows as panel_blocks.h has them, and each group has a line of steps and one of lows.
#pragma once

#include "panel_code_books.h"

namespace {

/** Weights of a row that are taken apart at once: what two panels need then fits the first-level cache. */
constexpr int64_t kLineWeights = 512;

struct Lines {
  alignas(64) uint8_t codes[kLineWeights * kPanelRows];
  alignas(64) float steps[kLineWeights / 16][kPanelRows];
  alignas(64) float lows[kLineWeights / 16][kPanelRows];
};

/** Blocks `from` <= b < `to`. */
template <class Format>
POCKET_INLINE void takeApart(const Panel& panel, int64_t from, int64_t to, Lines& lines) {
  constexpr int kGroups = Format::kWeights / Format::kGroup;
  for (int64_t b = from; b < to; b++) {
    const PanelBlock<Format> block(panel, b);
    uint8_t* codes = lines.codes + (b - from) * Format::kWeights * kPanelRows;
    const int64_t group = (b - from) * kGroups;
    unrolled<kGroups>([&](auto g) __attribute__((always_inline)) {
      unrolled<Format::kGroup / 4>([&](auto t) __attribute__((always_inline)) {
        uint8_t* to = codes + (g.kValue * Format::kGroup / 4 + t.kValue) * 64;
        _mm512_store_si512(to, block.template codes<g.kValue, t.kValue>());
      });
      _mm512_store_ps(lines.steps[group + g.kValue], block.template step<g.kValue>());
      if constexpr (Format::kAffine) _mm512_store_ps(lines.lows[group + g.kValue], block.template low<g.kValue>());
    });
  }
}

}  // namespace
