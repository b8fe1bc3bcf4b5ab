// How kernels ask for the weights that come next.
#pragma once

#include "../../formats/panels.h"
#include "tile.h"
#include "unrolled.h"

namespace {

/**
 * One row: asks for a line far ahead, and reads a word of one near ahead; kTouchRoom bytes behind the weights may be read too.
 * The memory then always has enough to do, and the first-level cache sees one stream in ascending order, whatever
 * the order in which a format's fields meet.
 */
template <int64_t near>
POCKET_INLINE void fetchAhead(const uint8_t* line) {
  constexpr int64_t kFar = 8 << 10;
  uint64_t word;
  __asm__ volatile("prefetcht1 %c2(%1)\n\tmov %c3(%1), %0" : "=r"(word) : "r"(line), "i"(kFar), "i"(near));
}

/** Several rows: words of a panel that are taken apart next. They are fetched while what stands before is multiplied. */
struct NextWords {
  const uint8_t* words;
  /** So many come with each group of weights. */
  int64_t lines;

  POCKET_METHOD void fetch(int64_t group) const {
    for (int64_t l = group * lines; l < (group + 1) * lines; l++) __builtin_prefetch(words + 64 * l, 0, 2);
  }
};

/** From a block of the panel that begins with row `o` on; the panel `ahead` rows behind it where it has no such block. */
template <class Format>
POCKET_INLINE NextWords nextWords(const MatmulTile& tile, int64_t o, int64_t block, int64_t ahead) {
  typedef PanelLayout<Format> Layout;
  const bool same = block < tile.inFeatures / Format::kWeights;
  const Panel panel = panelAt<Format>(tile.weights + (same ? o : o + ahead) * tile.rowBytes, tile.inFeatures);
  constexpr int64_t kLines = (Layout::kWords * Format::kGroup + Format::kWeights - 1) / Format::kWeights;
  return {panel.words + (same ? 64 * block * Layout::kWords : 0), kLines};
}

}  // namespace
