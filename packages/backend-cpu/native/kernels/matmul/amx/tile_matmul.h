// matmul of rows of prompts by tiles of bf16, AMX.
//
//   out[r, o] = scale[r] * (sum over i of w[o, i] * x[r, i])     x: rows as prompt_row.h lays them out
//
//   w: panels of 16 rows (weights in blocks), or rows (f16, bf16)   out: f32   K, rows and outs are anything
//
// Two tiles of x times two of weights. K goes in pieces of 256: the weights of a piece are turned into tiles once, in the
// first-level cache, for all rows; the sums of all rows wait in the second. Each number of x and w is a high part, where
// it needs it with a low one (bf16_parts.h); a step adds, to the same sums, low w * high x, high w * high x and
// high w * low x, 32 weights at a time. So the order of a sum depends on K alone, and its row of x is all that it reads
// of x: the rows beside it in a tile never enter, and those that fill up the last tile are zeros.
// Bound by the products: 8 KB of tiles read for 4 to 12 of them, 16 cycles each.
#pragma once

#include "../avx512/panel_matmul.h"
#include "prompt_row.h"
#include "weight_tiles.h"

namespace {

/** Thread memory of the kernels here. */
struct TileScratch {
  Lines lines;
  WeightTiles weights;
  /** Rows of x that do not follow one another: [sixteen][part][row][number]. */
  alignas(64) uint16_t gathered[2][2][kTileRows][kPieceWeights];
  alignas(64) float sums[kPanelTileRows][2][kPanelRows];
};
static_assert(sizeof(TileScratch) <= kPanelTileScratch, "the scratch memory of tile.h");
constexpr int64_t kSumStride = sizeof(float[2][kPanelRows]);

/** Sixteen rows of x in one piece: where each part of the first begins, and bytes to the next. */
struct SixteenRows {
  const uint8_t* part[2];
  int64_t stride;
};

/** The bytes of a piece: where it begins in a row of x, and how many steps it has. */
struct PieceOfX {
  int64_t at;
  int64_t steps;
};

/** Adds one piece to the sums of `sixteens` times 16 rows with `panels` panels. */
template <int weightParts, int xParts, int panels, int sixteens>
__attribute__((noinline)) void addTiles(const WeightTiles& weights, const SixteenRows* x, int64_t steps, bool first,
                                        float* sums) {
  float* const below = sums + kTileRows * 2 * kPanelRows;
  if (first) {
    POCKET_TILE_ZERO(0);
    if constexpr (panels == 2) POCKET_TILE_ZERO(1);
    if constexpr (sixteens == 2) POCKET_TILE_ZERO(2);
    if constexpr (sixteens == 2 && panels == 2) POCKET_TILE_ZERO(3);
  } else {
    POCKET_TILE_LOAD(0, sums, kSumStride);
    if constexpr (panels == 2) POCKET_TILE_LOAD(1, sums + kPanelRows, kSumStride);
    if constexpr (sixteens == 2) POCKET_TILE_LOAD(2, below, kSumStride);
    if constexpr (sixteens == 2 && panels == 2) POCKET_TILE_LOAD(3, below + kPanelRows, kSumStride);
  }
  for (int64_t s = 0; s < steps; s++) {
    const auto& step = weights.at[s];
    POCKET_TILE_LOAD(4, x[0].part[0] + kTileRowBytes * s, x[0].stride);
    if constexpr (sixteens == 2) POCKET_TILE_LOAD(5, x[1].part[0] + kTileRowBytes * s, x[1].stride);
    if constexpr (weightParts == 2) {
      POCKET_TILE_LOAD(6, step[1][0], kTileRowBytes);
      POCKET_TILE_DOT_BF16(0, 4, 6);
      if constexpr (sixteens == 2) POCKET_TILE_DOT_BF16(2, 5, 6);
      if constexpr (panels == 2) {
        POCKET_TILE_LOAD(7, step[1][1], kTileRowBytes);
        POCKET_TILE_DOT_BF16(1, 4, 7);
        if constexpr (sixteens == 2) POCKET_TILE_DOT_BF16(3, 5, 7);
      }
    }
    POCKET_TILE_LOAD(6, step[0][0], kTileRowBytes);
    POCKET_TILE_DOT_BF16(0, 4, 6);
    if constexpr (sixteens == 2) POCKET_TILE_DOT_BF16(2, 5, 6);
    if constexpr (panels == 2) {
      POCKET_TILE_LOAD(7, step[0][1], kTileRowBytes);
      POCKET_TILE_DOT_BF16(1, 4, 7);
      if constexpr (sixteens == 2) POCKET_TILE_DOT_BF16(3, 5, 7);
    }
    if constexpr (xParts == 2) {
      POCKET_TILE_LOAD(4, x[0].part[1] + kTileRowBytes * s, x[0].stride);
      POCKET_TILE_DOT_BF16(0, 4, 6);
      if constexpr (panels == 2) POCKET_TILE_DOT_BF16(1, 4, 7);
      if constexpr (sixteens == 2) {
        POCKET_TILE_LOAD(5, x[1].part[1] + kTileRowBytes * s, x[1].stride);
        POCKET_TILE_DOT_BF16(2, 5, 6);
        if constexpr (panels == 2) POCKET_TILE_DOT_BF16(3, 5, 7);
      }
    }
  }
  POCKET_TILE_STORE(0, sums, kSumStride);
  if constexpr (panels == 2) POCKET_TILE_STORE(1, sums + kPanelRows, kSumStride);
  if constexpr (sixteens == 2) POCKET_TILE_STORE(2, below, kSumStride);
  if constexpr (sixteens == 2 && panels == 2) POCKET_TILE_STORE(3, below + kPanelRows, kSumStride);
}

/** Whether rows r to r + 15 follow one another in x. */
POCKET_INLINE bool followOneAnother(const MatmulTile& tile, int64_t r) {
  if (r + kTileRows > tile.rows) return false;
  if (tile.xRows == nullptr) return true;
  for (int64_t i = 1; i < kTileRows; i++) {
    if (tile.xRows[r + i] != tile.xRows[r] + i) return false;
  }
  return true;
}

/** Rows r to r + 15 of x; zeros where there are none. */
template <int xParts>
POCKET_INLINE SixteenRows sixteenRows(const MatmulTile& tile, int64_t r, const PieceOfX& piece,
                                      uint16_t (*gathered)[kTileRows][kPieceWeights]) {
  const int64_t low = xParts == 2 ? lowPartAt(tile.inFeatures) : 0;
  if (followOneAnother(tile, r)) {
    const uint8_t* at = rowOfX(tile, r) + piece.at;
    return {{at, at + low}, tile.xRowBytes};
  }
  for (int64_t i = 0; i < kTileRows; i++) {
    for (int part = 0; part < xParts; part++) {
      uint16_t* to = gathered[part][i];
      const size_t bytes = static_cast<size_t>(piece.steps * kTileRowBytes);
      if (r + i < tile.rows) {
        memcpy(to, rowOfX(tile, r + i) + piece.at + part * low, bytes);
      } else {
        memset(to, 0, bytes);
      }
    }
  }
  constexpr int64_t kStride = sizeof(uint16_t[kPieceWeights]);
  return {{reinterpret_cast<const uint8_t*>(gathered[0]), reinterpret_cast<const uint8_t*>(gathered[1])}, kStride};
}

/** Adds a piece to the sums of all rows. Shared by formats. */
template <int weightParts, int xParts, int panels>
__attribute__((noinline)) void addTilesToRows(const MatmulTile& tile, const PieceOfX& piece, TileScratch& scratch) {
  const bool first = piece.at == 0;
  for (int64_t r = 0; r < tile.rows; r += 2 * kTileRows) {
    float* sums = scratch.sums[r][0];
    SixteenRows x[2] = {sixteenRows<xParts>(tile, r, piece, scratch.gathered[0]), {}};
    if (r + kTileRows < tile.rows) {
      x[1] = sixteenRows<xParts>(tile, r + kTileRows, piece, scratch.gathered[1]);
      addTiles<weightParts, xParts, panels, 2>(scratch.weights, x, piece.steps, first, sums);
    } else {
      addTiles<weightParts, xParts, panels, 1>(scratch.weights, x, piece.steps, first, sums);
    }
  }
}

/** The tiles of weights `from` to `from + count` of the rows from o on. */
template <class Format, int panels>
POCKET_INLINE void makeWeightTiles(const MatmulTile& tile, int64_t o, int64_t from, int64_t count,
                                   TileScratch& scratch) {
  for (int p = 0; p < panels; p++) {
    const uint8_t* rows = tile.weights + (o + kPanelRows * p) * tile.rowBytes;
    if constexpr (Format::kPlain) {
      const int64_t left = tile.outs - o - kPanelRows * p;
      tilesOfRows<Format>(rows + 2 * from, tile.rowBytes, left < kPanelRows ? left : kPanelRows, count, p,
                          scratch.weights);
    } else {
      const int64_t firstBlock = from / Format::kWeights;
      takeApart<Format>(panelAt<Format>(rows, tile.inFeatures), firstBlock, firstBlock + count / Format::kWeights,
                        scratch.lines);
      tilesOfLines<Format::kGroup, kZeroBits<Format>, Format::kAffine, !kIsBf16<Format>>(scratch.lines, count, p,
                                                                                         scratch.weights);
    }
  }
}

template <class Format, int panels>
POCKET_INLINE void promptOuts(const MatmulTile& tile, int64_t o) {
  constexpr int kWeightParts = kIsBf16<Format> ? 1 : 2;
  constexpr int kXParts = Format::kPlain ? 2 : 1;
  TileScratch& scratch = *reinterpret_cast<TileScratch*>(tile.scratch);
  for (int64_t from = 0; from < tile.inFeatures; from += kPieceWeights) {
    const int64_t left = tile.inFeatures - from;
    const int64_t count = left < kPieceWeights ? left : kPieceWeights;
    makeWeightTiles<Format, panels>(tile, o, from, count, scratch);
    const PieceOfX piece = {2 * from, wholeSteps(count) / kTileNumbers};
    addTilesToRows<kWeightParts, kXParts, panels>(tile, piece, scratch);
  }
  for (int64_t r = 0; r < tile.rows; r++) {
    const __m512 scale = Format::kPlain ? _mm512_set1_ps(1.0f) : oneFloat(rowOfX(tile, r) + scaleAt(tile.inFeatures));
    for (int p = 0; p < panels; p++) {
      writeSums(tile, r, o + kPanelRows * p, _mm512_mul_ps(_mm512_load_ps(scratch.sums[r][p]), scale));
    }
  }
}

/** Rows of prompts; `tile.rows` is at most kPanelTileRows. */
template <class Format>
POCKET_INLINE void promptTile(const MatmulTile& tile) {
  configureTiles();
  int64_t o = 0;
  for (; o + kPanelRows < tile.outs; o += 2 * kPanelRows) promptOuts<Format, 2>(tile, o);
  if (o < tile.outs) promptOuts<Format, 1>(tile, o);
  releaseTiles();
}

}  // namespace
