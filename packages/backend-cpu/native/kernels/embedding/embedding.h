// embedding, weights in any format, one unit a row of the output.
//
//   out[r, c] = table[ids[r], c]     ids: [rows] i32   table: [vocabulary, cols]   out: [rows, cols] f32
//
// An id that the table does not have comes out as NaN. Decoding rounds as packages/abi/src/formats states it.
#pragma once

#include "../../formats/panels.h"
#include "../call.h"
#include "sizes.h"

namespace {

/** A row of a table whose whole sixteens of rows stand in panels. */
template <class Format>
POCKET_INLINE void decodePanelRow(const uint8_t* table, int64_t row, int64_t rowBytes, int64_t cols, float* out) {
  if constexpr (!Format::kPlain) {
    const Panel panel = panelAt<Format>(table + row / kPanelRows * kPanelRows * rowBytes, cols);
    for (int64_t b = 0; b * Format::kWeights < cols; b++) {
      decodeBlock<Format>(blockOfPanel<Format>(panel, b, row % kPanelRows), out + b * Format::kWeights);
    }
  }
}

template <class Format>
POCKET_INLINE void embedding(const Call& call, int64_t from, int64_t to) {
  const int64_t vocabulary = call.size[EmbeddingSizes::kVocabulary];
  const int64_t cols = call.size[EmbeddingSizes::kCols];
  const int64_t rowBytes = call.size[EmbeddingSizes::kRowBytes];
  const bool inPanels = call.attribute[EmbeddingSizes::kInPanels] != 0;
  const int32_t* ids = static_cast<const int32_t*>(call.in[0]);
  const uint8_t* table = static_cast<const uint8_t*>(call.in[1]);
  for (int64_t r = from; r < to; r++) {
    float* out = static_cast<float*>(call.out[0]) + r * cols;
    if (ids[r] >= 0 && ids[r] < vocabulary) {
      if (inPanels && ids[r] < vocabulary / kPanelRows * kPanelRows) {
        decodePanelRow<Format>(table, ids[r], rowBytes, cols, out);
      } else {
        decodeRow<Format>(table + ids[r] * rowBytes, cols, out);
      }
    } else {
      for (int64_t c = 0; c < cols; c++) out[c] = __builtin_nanf("");
    }
  }
}

}  // namespace
