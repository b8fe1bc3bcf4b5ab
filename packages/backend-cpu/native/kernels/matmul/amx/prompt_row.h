// Rows of activations for tiles: bf16 numbers.
//
//   weights in blocks:   x[i] ~ scale * high[i]
//   plain numbers:       x[i] ~ high[i] + low[i]
//
// scale is the largest magnitude of the row, so that the one that matters most is not rounded at all. A part of a row is
// its numbers in whole steps of a tile, with zeros behind the row. Sixteen rows, as far as tiled_rows.h says, stand as
// tiles, so that one is 1 KB in one piece: [part][step][row][32 numbers], then [row] scales. Others stand by themselves:
// [part][step][32 numbers], then the scale. Rows that decode hold other things (quantize_rows_amx.h).
#pragma once

#include "tiled_rows.h"
#include "tiles.h"

namespace {

constexpr int64_t wholeSteps(int64_t cols) { return (cols + kTileNumbers - 1) / kTileNumbers * kTileNumbers; }

/** Where a row of x stands in the memory of all. */
struct PromptRow {
  /** The first step of the high part. */
  int64_t at;
  /** Bytes from one step to the next, and from the high part to the low one. */
  int64_t stepBytes;
  int64_t partBytes;
  /** Where the scale stands, for weights in blocks. */
  int64_t scaleAt;
};

POCKET_INLINE PromptRow promptRow(int64_t r, int64_t tiled, int64_t cols, int64_t rowBytes) {
  const int64_t part = 2 * wholeSteps(cols);
  if (r >= tiled) return {r * rowBytes, kTileRowBytes, part, r * rowBytes + part};
  const int64_t inTile = r % kTileRows;
  const int64_t first = (r - inTile) * rowBytes;
  return {first + inTile * kTileRowBytes, kTileBytes, kTileRows * part,
          first + kTileRows * part + inTile * static_cast<int64_t>(sizeof(float))};
}

}  // namespace
