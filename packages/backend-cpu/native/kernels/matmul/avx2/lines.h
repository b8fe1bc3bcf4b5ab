// Some blocks of a panel taken apart into memory, for several rows of x: a line of 64 bytes holds four weights of 16
// rows as operands of products, and each group has a line of steps and one of lows.
#pragma once

#include "panel_blocks.h"

namespace {

/** Weights of a row that are taken apart at once: what a panel needs then fits the first-level cache. */
constexpr int64_t kLineWeights = 512;

struct Lines {
  alignas(64) uint8_t codes[kLineWeights * kPanelRows];
  alignas(64) float steps[kLineWeights / 16][kPanelRows];
  alignas(64) float lows[kLineWeights / 16][kPanelRows];
};

POCKET_INLINE void storeWords(uint8_t* to, __m256i words) { _mm256_store_si256(reinterpret_cast<__m256i*>(to), words); }

/** Block `b`, in registers, as the groups from `group` on. */
template <class Format>
POCKET_INLINE void takeApartDirectly(const Panel& panel, int64_t b, int64_t group, Lines& lines) {
  for (int h = 0; h < 2; h++) {
    const PanelBlock<Format> block(panel, b, h);
    unrolled<Format::kWeights / Format::kGroup>([&](auto g) __attribute__((always_inline)) {
      uint8_t* codes = lines.codes + (group + g.kValue) * Format::kGroup * kPanelRows + 32 * h;
      unrolled<Format::kGroup / 4>([&](auto t) __attribute__((always_inline)) {
        storeWords(codes + 64 * t.kValue, block.template codes<g.kValue, t.kValue>());
      });
      _mm256_store_ps(lines.steps[group + g.kValue] + 8 * h, block.template step<g.kValue>());
      if constexpr (Format::kAffine) {
        _mm256_store_ps(lines.lows[group + g.kValue] + 8 * h, block.template low<g.kValue>());
      }
    });
  }
}

/** A block of each of eight rows, as the rows had it. */
template <class Format>
struct HalfPanelRows {
  typedef PanelLayout<Format> Layout;
  static constexpr int64_t kRowBytes = (Layout::kBlockBytes + 63) / 32 * 32;
  alignas(32) uint8_t rows[8][kRowBytes];
  POCKET_METHOD HalfPanelRows(const Panel& panel, int64_t b, int half) {
    const uint8_t* words = panel.words + b * Layout::kWords * 64 + 32 * half;
    for (int64_t from = 0; from < Layout::kWords; from += 8) {
      __m256i eight[8];
#pragma GCC unroll 8
      for (int64_t w = 0; w < 8; w++) eight[w] = loadWords(words + 64 * (from + w < Layout::kWords ? from + w : from));
      transposeWords(eight);
#pragma GCC unroll 8
      for (int r = 0; r < 8; r++) {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(rows[r] + Layout::kWordsAt + 4 * from), eight[r]);
      }
    }
    const uint8_t* odd = panel.odd + (b * kPanelRows + 8 * half) * Layout::kOddBytes;
    for (int r = 0; r < 8; r++) memcpy(rows[r] + Layout::kOddAt, odd + r * Layout::kOddBytes, Layout::kOddBytes);
  }
  POCKET_METHOD const typename Format::Block& at(int r) const {
    return *reinterpret_cast<const typename Format::Block*>(rows[r]);
  }
};

/** The same row by row, by the format's own `unpack`. */
template <class Format>
POCKET_INLINE void takeApartByRows(const Panel& panel, int64_t b, int64_t group, Lines& lines) {
  constexpr int kGroups = Format::kWeights / Format::kGroup;
  for (int h = 0; h < 2; h++) {
    const HalfPanelRows<Format> blocks(panel, b, h);
    alignas(64) uint8_t codes[8][Format::kWeights];
    for (int r = 0; r < 8; r++) {
      float steps[kGroups];
      float lows[kGroups];
      Format::unpack(blocks.at(r), codes[r], steps, lows);
      for (int g = 0; g < kGroups; g++) {
        lines.steps[group + g][8 * h + r] = steps[g];
        if constexpr (Format::kAffine) lines.lows[group + g][8 * h + r] = lows[g];
      }
    }
    for (int i = 0; i < Format::kWeights; i += 32) {
      __m256i words[8];
#pragma GCC unroll 8
      for (int r = 0; r < 8; r++) {
        words[r] = loadWords(codes[r] + i);
        if constexpr (Format::kSigned) words[r] = signedOperand(words[r]);
      }
      transposeWords(words);
      uint8_t* to = lines.codes + (group * Format::kGroup + i) * kPanelRows + 32 * h;
#pragma GCC unroll 8
      for (int t = 0; t < 8; t++) storeWords(to + 64 * t, words[t]);
    }
  }
}

/** Blocks from <= b < to. */
template <class Format>
POCKET_INLINE void takeApart(const Panel& panel, int64_t from, int64_t to, Lines& lines) {
  constexpr int kGroups = Format::kWeights / Format::kGroup;
  for (int64_t b = from; b < to; b++) {
    if constexpr (PanelBlock<Format>::kDirect) {
      takeApartDirectly<Format>(panel, b, (b - from) * kGroups, lines);
    } else {
      takeApartByRows<Format>(panel, b, (b - from) * kGroups, lines);
    }
  }
}

}  // namespace
