// matmul of rows of prompts by tiles of bf16, AMX.
//
//   out[r, o] = scale[r] * (sum over i of w[o, i] * x[r, i])     x: rows as prompt_row.h lays them out
//
//   w: panels of 16 rows (weights in blocks), or rows (f16, bf16)   out: f32   K, rows and outs are anything
//
// Two tiles of x times two of weights. K goes in pieces of 256, and 256 outs at a time: a piece of x for all rows then
// stays in the second-level cache, and so do the sums. The weights of a piece and 32 outs are turned into tiles once, in the
// first-level cache, for all rows. Each number of x and w is a high part, where it needs it with a low one (bf16_parts.h); a
// step adds, to the same sums, low w * high x, high w * high x and high w * low x, 32 weights at a time. So the order of
// a sum depends on K alone, and its row of x is all that it reads of x: the rows beside it in a tile never enter, and those
// that fill up the last tile are zeros.
// Bound by the products: 8 KB of tiles read for 4 to 12 of them, 16 cycles each.
#pragma once

#include "../avx512/panel_matmul.h"
#include "x_tiles.h"

namespace {

/** Outs whose sums are kept at once. */
constexpr int64_t kSumOuts = 256;
constexpr int64_t kPairOuts = 2 * kPanelRows;

/** Sums of 32 rows with two panels, as tiles: rows 0 to 15 with each panel, then rows 16 to 31. */
struct SumTiles {
  alignas(64) float at[4][kTileRows][kPanelRows];
};

/** Thread memory of the kernels here. */
struct TileScratch {
  WeightTiles weights;
  SumTiles sums[kSumOuts / kPairOuts][kPanelTileRows / (2 * kTileRows)];
  GatheredRows gathered;
};
static_assert(sizeof(TileScratch) <= kPanelTileScratch, "the scratch memory of tile.h");

/** Asks for a tile to come to the first-level cache: the processor sees no order in which tiles are read. */
POCKET_INLINE void prefetchTile(const uint8_t* tile) {
  for (int64_t i = 0; i < kTileBytes; i += 64) _mm_prefetch(reinterpret_cast<const char*>(tile + i), _MM_HINT_T0);
}

/** Steps from the one that is multiplied to the one that is asked for. */
constexpr int64_t kStepsAhead = 2;

/** Adds one piece to the sums of `sixteens` times 16 rows with `panels` panels; `next` are the rows that follow. */
template <int weightParts, int xParts, int panels, int sixteens>
__attribute__((noinline)) void addTiles(const WeightTiles& weights, const SixteenRows* x, const SixteenRows* next,
                                        int64_t steps, bool first, SumTiles& sums) {
  if (first) {
    POCKET_TILE_ZERO(0);
    if constexpr (panels == 2) POCKET_TILE_ZERO(1);
    if constexpr (sixteens == 2) POCKET_TILE_ZERO(2);
    if constexpr (sixteens == 2 && panels == 2) POCKET_TILE_ZERO(3);
  } else {
    POCKET_TILE_LOAD(0, sums.at[0], kTileRowBytes);
    if constexpr (panels == 2) POCKET_TILE_LOAD(1, sums.at[1], kTileRowBytes);
    if constexpr (sixteens == 2) POCKET_TILE_LOAD(2, sums.at[2], kTileRowBytes);
    if constexpr (sixteens == 2 && panels == 2) POCKET_TILE_LOAD(3, sums.at[3], kTileRowBytes);
  }
  for (int64_t s = 0; s < steps; s++) {
    const auto& step = weights.at[s];
    const int64_t at = s * kTileBytes;
    const bool isHere = s + kStepsAhead < steps;
    const int64_t ahead = (isHere ? s + kStepsAhead : s + kStepsAhead - steps) * kTileBytes;
    const SixteenRows* const later = isHere ? x : next;
    POCKET_TILE_LOAD(4, x[0].part[0] + at, kTileRowBytes);
    if constexpr (sixteens == 2) POCKET_TILE_LOAD(5, x[1].part[0] + at, kTileRowBytes);
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
    prefetchTile(later[0].part[0] + ahead);
    if constexpr (xParts == 2) prefetchTile(later[0].part[1] + ahead);
    POCKET_TILE_LOAD(6, step[0][0], kTileRowBytes);
    POCKET_TILE_DOT_BF16(0, 4, 6);
    if constexpr (sixteens == 2) POCKET_TILE_DOT_BF16(2, 5, 6);
    if constexpr (panels == 2) {
      POCKET_TILE_LOAD(7, step[0][1], kTileRowBytes);
      POCKET_TILE_DOT_BF16(1, 4, 7);
      if constexpr (sixteens == 2) POCKET_TILE_DOT_BF16(3, 5, 7);
    }
    if constexpr (sixteens == 2) {
      prefetchTile(later[1].part[0] + ahead);
      if constexpr (xParts == 2) prefetchTile(later[1].part[1] + ahead);
    }
    if constexpr (xParts == 2) {
      POCKET_TILE_LOAD(4, x[0].part[1] + at, kTileRowBytes);
      POCKET_TILE_DOT_BF16(0, 4, 6);
      if constexpr (panels == 2) POCKET_TILE_DOT_BF16(1, 4, 7);
      if constexpr (sixteens == 2) {
        POCKET_TILE_LOAD(5, x[1].part[1] + at, kTileRowBytes);
        POCKET_TILE_DOT_BF16(2, 5, 6);
        if constexpr (panels == 2) POCKET_TILE_DOT_BF16(3, 5, 7);
      }
    }
  }
  POCKET_TILE_STORE(0, sums.at[0], kTileRowBytes);
  if constexpr (panels == 2) POCKET_TILE_STORE(1, sums.at[1], kTileRowBytes);
  if constexpr (sixteens == 2) POCKET_TILE_STORE(2, sums.at[2], kTileRowBytes);
  if constexpr (sixteens == 2 && panels == 2) POCKET_TILE_STORE(3, sums.at[3], kTileRowBytes);
}

/** The rows of a tile by sixteens, in one piece. */
struct AllRows {
  SixteenRows at[kMostSixteens + 2];
  int64_t sixteens;
};

template <int xParts>
__attribute__((noinline)) void locateRows(const MatmulTile& tile, const PieceOfX& piece, GatheredRows& gathered,
                                          AllRows& x) {
  x.sixteens = (tile.rows + kTileRows - 1) / kTileRows;
  for (int64_t i = 0; i < x.sixteens; i++) {
    x.at[i] = sixteenRows<xParts>(tile, i * kTileRows, piece, gathered.at[i]);
  }
  // What stands behind the last is asked for, and never read.
  x.at[x.sixteens] = x.at[x.sixteens + 1] = x.at[0];
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
      const Panel panel = panelAt<Format>(rows, tile.inFeatures);
      const int64_t firstBlock = from / Format::kWeights;
      const int64_t endBlock = firstBlock + count / Format::kWeights;
      tilesOfPanel<Format>(panel, firstBlock, endBlock, p, scratch.weights);
    }
  }
}

/** Adds a piece to the sums of all rows. Shared by formats. */
template <int weightParts, int xParts, int panels>
__attribute__((noinline)) void addTilesToRows(const WeightTiles& weights, const AllRows& x, const PieceOfX& piece,
                                              SumTiles* sums) {
  const bool first = piece.from == 0;
  int64_t i = 0;
  for (; i + 2 <= x.sixteens; i += 2) {
    addTiles<weightParts, xParts, panels, 2>(weights, x.at + i, x.at + i + 2, piece.steps, first, sums[i / 2]);
  }
  if (i < x.sixteens) {
    addTiles<weightParts, xParts, panels, 1>(weights, x.at + i, x.at + i + 1, piece.steps, first, sums[i / 2]);
  }
}

/** Writes the sums of all rows with the outs from o on; scaled, where `scaled`. */
template <bool scaled, int panels>
__attribute__((noinline)) void writeTiles(const MatmulTile& tile, int64_t o, const SumTiles* sums) {
  for (int64_t r = 0; r < tile.rows; r++) {
    const auto& at = sums[r / (2 * kTileRows)].at + r / kTileRows % 2 * 2;
    const __m512 scale = scaled ? oneFloat(tile.x + promptRowOf(tile, r).scaleAt) : _mm512_set1_ps(1.0f);
    for (int p = 0; p < panels; p++) {
      writeSums(tile, r, o + kPanelRows * p, _mm512_mul_ps(_mm512_load_ps(at[p][r % kTileRows]), scale));
    }
  }
}

/** One piece of the outs from o on, whose sums are `sums`. */
template <class Format, int panels>
POCKET_INLINE void addPairOuts(const MatmulTile& tile, int64_t o, const PieceOfX& piece, int64_t count,
                               const AllRows& x, TileScratch& scratch, SumTiles* sums) {
  constexpr int kWeightParts = kIsBf16<Format> ? 1 : 2;
  constexpr int kXParts = Format::kPlain ? 2 : 1;
  makeWeightTiles<Format, panels>(tile, o, piece.from, count, scratch);
  addTilesToRows<kWeightParts, kXParts, panels>(scratch.weights, x, piece, sums);
  if (piece.from + count == tile.inFeatures) writeTiles<!Format::kPlain, panels>(tile, o, sums);
}

/** Rows of prompts; `tile.rows` is at most kPanelTileRows. */
template <class Format>
POCKET_INLINE void promptTile(const MatmulTile& tile) {
  TileScratch& scratch = *reinterpret_cast<TileScratch*>(tile.scratch);
  AllRows x;
  configureTiles();
  for (int64_t begin = 0; begin < tile.outs; begin += kSumOuts) {
    const int64_t end = begin + kSumOuts < tile.outs ? begin + kSumOuts : tile.outs;
    for (int64_t from = 0; from < tile.inFeatures; from += kPieceWeights) {
      const int64_t left = tile.inFeatures - from;
      const int64_t count = left < kPieceWeights ? left : kPieceWeights;
      const PieceOfX piece = {from, wholeSteps(count) / kTileNumbers};
      locateRows<Format::kPlain ? 2 : 1>(tile, piece, scratch.gathered, x);
      SumTiles(*sums)[kPanelTileRows / (2 * kTileRows)] = scratch.sums;
      int64_t o = begin;
      for (; o + kPanelRows < end; o += kPairOuts) {
        addPairOuts<Format, 2>(tile, o, piece, count, x, scratch, *sums++);
      }
      if (o < end) addPairOuts<Format, 1>(tile, o, piece, count, x, scratch, *sums);
    }
  }
  releaseTiles();
}

}  // namespace
