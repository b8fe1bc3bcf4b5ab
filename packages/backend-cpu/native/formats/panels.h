// How weights in blocks are stored for kernels that work on 16 rows at once: as panels.
//
// A panel holds the same bytes as its 16 rows. A block's bytes are words of four, and perhaps an odd field of one or
// two in front or behind (its scale). First come the odd fields, [block][row], then the words, [block][word][row]:
// 64 bytes of a panel are the same word of 16 rows, which is one vector register.
#pragma once

#include "decode_row.h"
#include "panel_rows.h"

namespace {

/** Formats whose odd field stands behind the words. */
template <class Format>
constexpr bool kOddIsLast = false;
template <>
constexpr bool kOddIsLast<format_q6_k> = true;
template <>
constexpr bool kOddIsLast<format_q3_k> = true;
template <>
constexpr bool kOddIsLast<format_tq2_0> = true;
template <>
constexpr bool kOddIsLast<format_tq1_0> = true;

template <class Format>
struct PanelLayout {
  static constexpr int64_t kBlockBytes = sizeof(typename Format::Block);
  static constexpr int64_t kOddBytes = kBlockBytes % 4;
  static constexpr int64_t kWords = kBlockBytes / 4;
  static constexpr int64_t kOddAt = kOddIsLast<Format> ? 4 * kWords : 0;
  static constexpr int64_t kWordsAt = kOddIsLast<Format> ? 0 : kOddBytes;
};

/** The two parts of a panel. */
struct Panel {
  const uint8_t* odd;
  const uint8_t* words;
};

template <class Format>
POCKET_INLINE Panel panelAt(const uint8_t* bytes, int64_t k) {
  return {bytes, bytes + k / Format::kWeights * kPanelRows * PanelLayout<Format>::kOddBytes};
}

/** Writes `count` <= 16 rows, `rowBytes` each, as a panel whose other rows are zeros. */
template <class Format>
POCKET_INLINE void packPanel(const uint8_t* rows, int64_t rowBytes, int64_t count, uint8_t* panel) {
  typedef PanelLayout<Format> Layout;
  const int64_t blocks = rowBytes / Layout::kBlockBytes;
  uint8_t* odd = panel;
  uint8_t* words = panel + blocks * kPanelRows * Layout::kOddBytes;
  if (count < kPanelRows) memset(panel, 0, static_cast<size_t>(kPanelRows * rowBytes));
  for (int64_t b = 0; b < blocks; b++) {
    for (int64_t r = 0; r < count; r++) {
      const uint8_t* block = rows + r * rowBytes + b * Layout::kBlockBytes;
      memcpy(odd + (b * kPanelRows + r) * Layout::kOddBytes, block + Layout::kOddAt, Layout::kOddBytes);
      for (int64_t w = 0; w < Layout::kWords; w++) {
        memcpy(words + ((b * Layout::kWords + w) * kPanelRows + r) * 4, block + Layout::kWordsAt + 4 * w, 4);
      }
    }
  }
}

/** Block `b` of row `r` of a panel. */
template <class Format>
POCKET_INLINE typename Format::Block blockOfPanel(const Panel& panel, int64_t b, int64_t r) {
  typedef PanelLayout<Format> Layout;
  typename Format::Block block;
  uint8_t* to = reinterpret_cast<uint8_t*>(&block);
  memcpy(to + Layout::kOddAt, panel.odd + (b * kPanelRows + r) * Layout::kOddBytes, Layout::kOddBytes);
  for (int64_t w = 0; w < Layout::kWords; w++) {
    memcpy(to + Layout::kWordsAt + 4 * w, panel.words + ((b * Layout::kWords + w) * kPanelRows + r) * 4, 4);
  }
  return block;
}

}  // namespace
