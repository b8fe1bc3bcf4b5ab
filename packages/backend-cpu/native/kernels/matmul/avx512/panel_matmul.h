// matmul on weights in panels, activations rounded to integers, AVX-512 VNNI.
//
//   out[r, o] = sum over i of w[o, i] * x[r, i]     w: panels of 16 rows   x: rows as rounded_row.h lays them out
//
// One row: two panels at once, each byte of them read once, in registers. Several rows: a piece of two panels is taken
// apart once into the first-level cache; the sums of all rows wait in the second.
// K is whole blocks, rows and outs are anything. One row is bound by memory, many by vpdpbusd: 8 of 10 or 11
// arithmetic instructions for 32 weights.
#pragma once

#include "../fetch_ahead.h"
#include "../tile.h"
#include "group_sums.h"
#include "lines.h"

namespace {

/** Rows of x whose sums are kept at once. */
constexpr int64_t kSumRows = kPanelTileRows;

/** Thread memory of the kernels here. */
struct PanelScratch {
  Lines lines[2];
  alignas(64) float sums[kSumRows][2][kPanelRows];
};
static_assert(sizeof(PanelScratch) <= kPanelTileScratch, "the scratch memory of tile.h");

/** A piece of up to two panels, taken apart. */
struct Piece {
  const Lines* lines;
  /** The first weight of the rows, and how many. */
  int64_t from;
  int64_t count;
  int zeroBits;
  NextWords next[2];
};

template <class Kind, bool fine, int rows, int panels>
POCKET_INLINE void addPiece(const Piece& piece, const uint8_t* const* x, const RoundedRowPlaces& places,
                            bool fetches, float (*kept)[2][kPanelRows]) {
  RoundedRows<rows> at;
  Sums<rows, panels> sums;
  for (int r = 0; r < rows; r++) {
    at.at[r] = x[r];
    for (int p = 0; p < panels; p++) sums.at[r][p] = _mm512_load_ps(kept[r][p]);
  }
  const uint8_t* codes = piece.lines[0].codes;
  for (int64_t g = 0; g < piece.count / Kind::kGroup; g++) {
    __m512 step[panels];
    __m512 low[panels];
    for (int p = 0; p < panels; p++) {
      step[p] = _mm512_load_ps(piece.lines[p].steps[g]);
      low[p] = _mm512_load_ps(piece.lines[p].lows[g]);
    }
    addGroup<Kind, fine>(
        [&](auto t, int p) __attribute__((always_inline)) {
          return _mm512_load_si512(codes + p * sizeof(Lines) + 64 * t.kValue);
        },
        piece.zeroBits, step, low, at, places, piece.from + g * Kind::kGroup, sums);
    if (fetches) {
      for (int p = 0; p < panels; p++) piece.next[p].fetch(g);
    }
    codes += Kind::kGroup * kPanelRows;
  }
  for (int r = 0; r < rows; r++) {
    for (int p = 0; p < panels; p++) _mm512_store_ps(kept[r][p], sums.at[r][p]);
  }
}

POCKET_INLINE const uint8_t* rowOfX(const MatmulTile& tile, int64_t r) {
  return tile.x + (tile.xRows != nullptr ? tile.xRows[r] : r) * tile.xRowBytes;
}

/** Adds a piece to the sums of all rows of x; the first of them fetch the next piece meanwhile. Shared by formats. */
template <class Kind, bool fine, int panels>
__attribute__((noinline)) void addPieceToRows(const Piece& piece, const MatmulTile& tile, PanelScratch& scratch) {
  const RoundedRowPlaces places(tile.inFeatures);
  constexpr int kMost = fine ? 4 : 6;
  const uint8_t* x[kMost];
  int64_t r = 0;
  for (; r + kMost <= tile.rows; r += kMost) {
    for (int i = 0; i < kMost; i++) x[i] = rowOfX(tile, r + i);
    addPiece<Kind, fine, kMost, panels>(piece, x, places, r == 0, scratch.sums + r);
  }
  for (; r + 2 <= tile.rows; r += 2) {
    for (int i = 0; i < 2; i++) x[i] = rowOfX(tile, r + i);
    addPiece<Kind, fine, 2, panels>(piece, x, places, r == 0, scratch.sums + r);
  }
  if (r < tile.rows) {
    x[0] = rowOfX(tile, r);
    addPiece<Kind, fine, 1, panels>(piece, x, places, r == 0, scratch.sums + r);
  }
}

/** The first `outs` <= 16 of a row's sums with one panel. */
POCKET_INLINE void writeSums(const MatmulTile& tile, int64_t r, int64_t o, __m512 sums) {
  const int64_t row = tile.outRows != nullptr ? tile.outRows[r] : r;
  const int64_t outs = tile.outs - o;
  const __mmask16 mask = outs >= kPanelRows ? 0xffff : static_cast<__mmask16>((1 << outs) - 1);
  _mm512_mask_storeu_ps(tile.out + row * tile.outStride + o, mask, sums);
}

template <class Format, int panels>
POCKET_INLINE void takeApartAndAdd(const MatmulTile& tile, int64_t o) {
  PanelScratch& scratch = *reinterpret_cast<PanelScratch*>(tile.scratch);
  memset(scratch.sums, 0, static_cast<size_t>(tile.rows) * sizeof scratch.sums[0]);
  const int64_t blocks = tile.inFeatures / Format::kWeights;
  constexpr int64_t kBlocks = kLineWeights / Format::kWeights;
  for (int64_t from = 0; from < blocks; from += kBlocks) {
    const int64_t to = from + kBlocks < blocks ? from + kBlocks : blocks;
    for (int p = 0; p < panels; p++) {
      const Panel panel = panelAt<Format>(tile.weights + (o + kPanelRows * p) * tile.rowBytes, tile.inFeatures);
      takeApart<Format>(panel, from, to, scratch.lines[p]);
    }
    Piece piece{};
    piece.lines = scratch.lines;
    piece.from = from * Format::kWeights;
    piece.count = (to - from) * Format::kWeights;
    piece.zeroBits = kZeroBits<Format>;
    for (int p = 0; p < panels; p++) {
      piece.next[p] = nextWords<Format>(tile, o + kPanelRows * p, to, kPanelRows * panels);
    }
    if (tile.fine) {
      addPieceToRows<KindOf<Format>, true, panels>(piece, tile, scratch);
    } else {
      addPieceToRows<KindOf<Format>, false, panels>(piece, tile, scratch);
    }
  }
  for (int64_t r = 0; r < tile.rows; r++) {
    for (int p = 0; p < panels; p++) {
      writeSums(tile, r, o + kPanelRows * p, _mm512_load_ps(scratch.sums[r][p]));
    }
  }
}

/** One row that decodes with one panel: nothing is written down in between. */
template <class Format>
POCKET_INLINE void addDirectly(const MatmulTile& tile, int64_t o) {
  constexpr int kGroups = Format::kWeights / Format::kGroup;
  constexpr int kFours = Format::kWeights / 4;
  constexpr int64_t kLines = PanelLayout<Format>::kWords;
  // As far as a block reaches, since it may need its last line first.
  constexpr int64_t kNear = 64 * (kLines > 16 ? kLines : 16);
  const RoundedRowPlaces places(tile.inFeatures);
  const RoundedRows<1> x = {{rowOfX(tile, 0)}};
  const uint8_t* bytes = tile.weights + o * tile.rowBytes;
  const Panel panel = panelAt<Format>(bytes, tile.inFeatures);
  Sums<1, 1> sums;
  sums.clear();
  for (int64_t b = 0; b < tile.inFeatures / Format::kWeights; b++) {
    const PanelBlock<Format> block(panel, b);
    const uint8_t* lines = panel.words + 64 * b * kLines;
    unrolled<kGroups>([&](auto g) __attribute__((always_inline)) {
      const __m512 step[1] = {block.template step<g.kValue>()};
      __m512 low[1] = {};
      if constexpr (Format::kAffine) low[0] = block.template low<g.kValue>();
      const auto codes = [&](auto t, int) __attribute__((always_inline)) {
        // Spread evenly: so many at once would wait for each other.
        constexpr int kFour = g.kValue * Format::kGroup / 4 + t.kValue;
        constexpr int64_t kEnd = (kFour + 1) * kLines / kFours;
        for (int64_t l = kFour * kLines / kFours; l < kEnd; l++) fetchAhead<kNear>(lines + 64 * l);
        return block.template codes<g.kValue, t.kValue>();
      };
      addGroup<KindOf<Format>, true>(codes, kZeroBits<Format>, step, low, x, places,
                                     b * Format::kWeights + g.kValue * Format::kGroup, sums);
    });
  }
  writeSums(tile, 0, o, sums.at[0][0]);
}

template <class Format, int panels>
POCKET_INLINE void panelOuts(const MatmulTile& tile, int64_t o) {
  if (tile.rows == 1 && tile.fine) {
    for (int p = 0; p < panels; p++) addDirectly<Format>(tile, o + kPanelRows * p);
  } else {
    takeApartAndAdd<Format, panels>(tile, o);
  }
}

template <class Format>
POCKET_INLINE void panelTile(const MatmulTile& tile) {
  int64_t o = 0;
  for (; o + kPanelRows < tile.outs; o += 2 * kPanelRows) panelOuts<Format, 2>(tile, o);
  if (o < tile.outs) panelOuts<Format, 1>(tile, o);
}

}  // namespace
