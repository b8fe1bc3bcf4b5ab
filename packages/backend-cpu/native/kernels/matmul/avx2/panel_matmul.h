// matmul on weights in panels, activations rounded to integers, AVX2 and AVX-VNNI.
//
//   out[r, o] = sum over i of w[o, i] * x[r, i]     w: panels of 16 rows   x: rows as rounded_row.h lays them out
//
//   sum[r, o] += (sum over i in a group of code[o, i] * xCode[r, i]) * (step[o] * xScale[r])
//   sum[r, o] += low[o] * xSum[r]                                        where the format is affine
//
// Integer sums are exact; the rest is one chain over the groups of a row in order, as in avx512/group_sums.h: the same
// bits come out of every kernel on panels, however many rows stand in registers together. One row that decodes: each
// byte of a panel read once, in registers where the format allows; bound by memory. Several rows: a piece of a panel is
// taken apart once into the first-level cache, the sums of all rows wait in the second; bound by products of bytes.
// K is whole blocks, rows and outs are anything.
#pragma once

#include "../fetch_ahead.h"
#include "../tile.h"
#include "lines.h"

namespace {

/** Thread memory of the kernels here. */
struct PanelScratch {
  Lines lines;
  alignas(64) float sums[kPanelTileRows][kPanelRows];
};
static_assert(sizeof(PanelScratch) <= kPanelTileScratch, "the scratch memory of tile.h");

/** Adds a group to `sums`; `step(h)` and `low(h)` are those of half h, the rest is as in group_dots.h. */
template <class Kind, bool fine, int rows, int halves, class Codes, class Step, class Low>
POCKET_INLINE void addGroup(Codes&& codes, Step&& step, Low&& low, const uint8_t* const* x,
                            const RoundedRowPlaces& places, int64_t at, __m256 (&sums)[rows][halves]) {
  __m256i dots[rows][halves];
  groupDots<Kind, fine, rows, halves>(codes, x, places, at, dots);
#pragma GCC unroll 8
  for (int r = 0; r < rows; r++) {
    const __m256 scale = oneOf(x[r] + places.scales + at / 32 * 4);
#pragma GCC unroll 2
    for (int h = 0; h < halves; h++) {
      sums[r][h] = _mm256_fmadd_ps(_mm256_cvtepi32_ps(dots[r][h]), _mm256_mul_ps(step(h), scale), sums[r][h]);
    }
    if constexpr (Kind::kAffine) {
      const int64_t list = Kind::kGroup == 32 ? places.sumsOf32 : places.sumsOf16;
      const __m256 sum = oneOf(x[r] + list + at / Kind::kGroup * 4);
#pragma GCC unroll 2
      for (int h = 0; h < halves; h++) sums[r][h] = _mm256_fmadd_ps(low(h), sum, sums[r][h]);
    }
  }
}

/** A piece of the weights of a panel: where it begins in the rows of x, and how many there are. */
struct Piece {
  int64_t from;
  int64_t count;
  NextWords next;
};

template <class Kind, bool fine, int rows>
POCKET_INLINE void addPiece(const Lines& lines, const Piece& piece, const uint8_t* const* x,
                            const RoundedRowPlaces& places, bool fetches, float (*kept)[kPanelRows]) {
  __m256 sums[rows][2];
#pragma GCC unroll 8
  for (int r = 0; r < rows; r++) {
    sums[r][0] = _mm256_load_ps(kept[r]);
    sums[r][1] = _mm256_load_ps(kept[r] + 8);
  }
  const uint8_t* codes = lines.codes;
  const int64_t groups = piece.count / Kind::kGroup;
  for (int64_t g = 0; g < groups; g++) {
    addGroup<Kind, fine, rows, 2>(
        [&](auto t, int h) __attribute__((always_inline)) {
          return _mm256_load_si256(reinterpret_cast<const __m256i*>(codes + 64 * t.kValue + 32 * h));
        },
        [&](int h) __attribute__((always_inline)) { return _mm256_load_ps(lines.steps[g] + 8 * h); },
        [&](int h) __attribute__((always_inline)) { return _mm256_load_ps(lines.lows[g] + 8 * h); },
        x, places, piece.from + g * Kind::kGroup, sums);
    if (fetches) piece.next.fetch(g);
    codes += Kind::kGroup * kPanelRows;
  }
#pragma GCC unroll 8
  for (int r = 0; r < rows; r++) {
    _mm256_store_ps(kept[r], sums[r][0]);
    _mm256_store_ps(kept[r] + 8, sums[r][1]);
  }
}

POCKET_INLINE const uint8_t* rowOfX(const MatmulTile& tile, int64_t r) {
  return tile.x + (tile.xRows != nullptr ? tile.xRows[r] : r) * tile.xRowBytes;
}

/** Adds a piece to the sums of all rows of x; the first of them fetch the next piece meanwhile. Shared by formats. */
template <class Kind, bool fine>
__attribute__((noinline)) void addPieceToRows(const Piece& piece, const MatmulTile& tile, PanelScratch& scratch) {
  const RoundedRowPlaces places(tile.inFeatures);
  /** As many as leave the sums in registers. */
  constexpr int kMost = fine ? 2 : 3;
  const uint8_t* x[kMost];
  int64_t r = 0;
  for (; r + kMost <= tile.rows; r += kMost) {
    for (int i = 0; i < kMost; i++) x[i] = rowOfX(tile, r + i);
    addPiece<Kind, fine, kMost>(scratch.lines, piece, x, places, r == 0, scratch.sums + r);
  }
  for (; r < tile.rows; r++) {
    x[0] = rowOfX(tile, r);
    addPiece<Kind, fine, 1>(scratch.lines, piece, x, places, r == 0, scratch.sums + r);
  }
}

/** Sums of row r with a panel whose first weight row is `o` of the tile. */
POCKET_INLINE void writeSums(const MatmulTile& tile, int64_t r, int64_t o, const float* sums) {
  float* out = tile.out + (tile.outRows != nullptr ? tile.outRows[r] : r) * tile.outStride + o;
  if (tile.outs - o >= kPanelRows) {
    _mm256_storeu_ps(out, _mm256_load_ps(sums));
    _mm256_storeu_ps(out + 8, _mm256_load_ps(sums + 8));
  } else {
    memcpy(out, sums, static_cast<size_t>(tile.outs - o) * sizeof(float));
  }
}

template <class Format>
POCKET_INLINE void takeApartAndAdd(const MatmulTile& tile, int64_t o) {
  PanelScratch& scratch = *reinterpret_cast<PanelScratch*>(tile.scratch);
  memset(scratch.sums, 0, static_cast<size_t>(tile.rows) * sizeof scratch.sums[0]);
  const Panel panel = panelAt<Format>(tile.weights + o * tile.rowBytes, tile.inFeatures);
  const int64_t blocks = tile.inFeatures / Format::kWeights;
  constexpr int64_t kBlocks = kLineWeights / Format::kWeights;
  for (int64_t from = 0; from < blocks; from += kBlocks) {
    const int64_t to = from + kBlocks < blocks ? from + kBlocks : blocks;
    takeApart<Format>(panel, from, to, scratch.lines);
    const Piece piece = {from * Format::kWeights, (to - from) * Format::kWeights,
                         nextWords<Format>(tile, o, to, kPanelRows)};
    if (tile.fine) {
      addPieceToRows<KindOf<Format>, true>(piece, tile, scratch);
    } else {
      addPieceToRows<KindOf<Format>, false>(piece, tile, scratch);
    }
  }
  for (int64_t r = 0; r < tile.rows; r++) writeSums(tile, r, o, scratch.sums[r]);
}

/** One row that decodes with one panel: nothing is written down in between. */
template <class Format>
POCKET_INLINE void addDirectly(const MatmulTile& tile, int64_t o) {
  typedef KindOf<Format> Kind;
  constexpr int kGroups = Format::kWeights / Format::kGroup;
  constexpr int kFours = Format::kWeights / 4;
  constexpr int64_t kLines = PanelLayout<Format>::kWords;
  // As far as a block reaches, since it may need its last line first.
  constexpr int64_t kNear = 64 * (kLines > 16 ? kLines : 16);
  const RoundedRowPlaces places(tile.inFeatures);
  const uint8_t* x[1] = {rowOfX(tile, 0)};
  const Panel panel = panelAt<Format>(tile.weights + o * tile.rowBytes, tile.inFeatures);
  __m256 sums[2][1][1] = {};
  for (int64_t b = 0; b < tile.inFeatures / Format::kWeights; b++) {
    const uint8_t* lines = panel.words + 64 * b * kLines;
    unrolled<2>([&](auto h) __attribute__((always_inline)) {
      const PanelBlock<Format> block(panel, b, h.kValue);
      unrolled<kGroups>([&](auto g) __attribute__((always_inline)) {
        const auto codes = [&](auto t, int) __attribute__((always_inline)) {
          // Spread evenly: so many at once would wait for each other.
          constexpr int64_t kFour = h.kValue * kFours + g.kValue * Format::kGroup / 4 + t.kValue;
          constexpr int64_t kFrom = kFour * kLines / (2 * kFours);
          constexpr int64_t kTo = (kFour + 1) * kLines / (2 * kFours);
          for (int64_t l = kFrom; l < kTo; l++) fetchAhead<kNear>(lines + 64 * l);
          return block.template codes<g.kValue, t.kValue>();
        };
        const auto step = [&](int) __attribute__((always_inline)) { return block.template step<g.kValue>(); };
        const auto low = [&](int) __attribute__((always_inline)) {
          if constexpr (Format::kAffine) return block.template low<g.kValue>();
          return _mm256_setzero_ps();
        };
        const int64_t at = b * Format::kWeights + g.kValue * Format::kGroup;
        addGroup<Kind, true, 1, 1>(codes, step, low, x, places, at, sums[h.kValue]);
      });
    });
  }
  alignas(32) float all[kPanelRows];
  for (int h = 0; h < 2; h++) _mm256_store_ps(all + 8 * h, sums[h][0][0]);
  writeSums(tile, 0, o, all);
}

template <class Format>
POCKET_INLINE void panelTile(const MatmulTile& tile) {
  for (int64_t o = 0; o < tile.outs; o += kPanelRows) {
    if constexpr (PanelBlock<Format>::kDirect) {
      if (tile.rows == 1 && tile.fine) {
        addDirectly<Format>(tile, o);
        continue;
      }
    }
    takeApartAndAdd<Format>(tile, o);
  }
}

}  // namespace
