// Rows of x as tiles, sixteen at a time: where they stand as such, or gathered.
#pragma once

#include "../tile.h"
#include "prompt_row.h"
#include "weight_tiles.h"

namespace {

/** The tiles of sixteen rows: the first step of each part in one piece of K; a step is kTileBytes. */
struct SixteenRows {
  const uint8_t* part[2];
};

/** A piece of K: its first weight, and how many steps it has. */
struct PieceOfX {
  int64_t from;
  int64_t steps;
};

constexpr int64_t kMostSixteens = kPanelTileRows / kTileRows;

/** Memory for rows that are gathered. */
struct GatheredRows {
  alignas(64) uint8_t at[kMostSixteens][2][kPieceSteps][kTileBytes];
};

POCKET_INLINE int64_t xRowOf(const MatmulTile& tile, int64_t r) { return tile.xRows != nullptr ? tile.xRows[r] : r; }

POCKET_INLINE PromptRow promptRowOf(const MatmulTile& tile, int64_t r) {
  return promptRow(xRowOf(tile, r), tile.tiledRows, tile.inFeatures, tile.xRowBytes);
}

/** Whether rows r to r + 15 of the tile are sixteen that stand as tiles. */
POCKET_INLINE bool standAsTiles(const MatmulTile& tile, int64_t r) {
  if (r + kTileRows > tile.rows) return false;
  const int64_t first = xRowOf(tile, r);
  if (first % kTileRows != 0 || first >= tile.tiledRows) return false;
  if (tile.xRows == nullptr) return true;
  for (int64_t i = 1; i < kTileRows; i++) {
    if (tile.xRows[r + i] != first + i) return false;
  }
  return true;
}

/** Rows r to r + 15 of the tile in one piece; zeros where there are none. */
template <int parts>
POCKET_INLINE SixteenRows sixteenRows(const MatmulTile& tile, int64_t r, const PieceOfX& piece,
                                      uint8_t (*gathered)[kPieceSteps][kTileBytes]) {
  const int64_t firstStep = piece.from / kTileNumbers;
  if (standAsTiles(tile, r)) {
    const PromptRow row = promptRowOf(tile, r);
    const uint8_t* at = tile.x + row.at + firstStep * kTileBytes;
    return {{at, at + row.partBytes}};
  }
  for (int64_t i = 0; i < kTileRows; i++) {
    const bool exists = r + i < tile.rows;
    const PromptRow row = promptRowOf(tile, exists ? r + i : r);
    for (int part = 0; part < parts; part++) {
      const uint8_t* at = tile.x + row.at + part * row.partBytes + firstStep * row.stepBytes;
      for (int64_t s = 0; s < piece.steps; s++) {
        const __m512i numbers = exists ? _mm512_loadu_si512(at + s * row.stepBytes) : _mm512_setzero_si512();
        _mm512_store_si512(gathered[part][s] + i * kTileRowBytes, numbers);
      }
    }
  }
  return {{gathered[0][0], gathered[1][0]}};
}

}  // namespace
