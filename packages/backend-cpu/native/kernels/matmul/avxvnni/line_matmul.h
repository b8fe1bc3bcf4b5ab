// matmul of rows of prompts, weights in blocks, AVX-VNNI: activations of eight bits with a scale for each 32.
//
//   out[r, o] = sum over groups g of (sum over i in g of code[o, i] * xCode[r, i]) * (step[o, g] * xScale[r, g])
//             + low[o, g] * xSum[r, g]                                         where the format is affine
//
//   w: rows of blocks   x: rows as rounded_row.h lays them out   out: f32   K is whole blocks, rows and outs are anything
//
// Sixteen weight rows at a time, a piece of 512 weights of each: taken apart once into the first-level cache, in lines
// that hold four weights of the sixteen; the sums of all rows wait in the second. The arithmetic is that of
// avx512/group_sums.h, bit for bit: integer sums are exact, the rest is one chain over the groups of a row.
// Bound by vpdpbusd and what feeds it: 11 instructions for 192 products.
#pragma once

#include "../../../formats/decode_row.h"
#include "../../../formats/panel_rows.h"
#include "../rounded_row.h"
#include "../tile.h"
#include "dot.h"

namespace {

/** Weights of a row that are taken apart at once. */
constexpr int64_t kLineWeights = 512;
/** Rows of x in one pass: as many as leave the sums in registers. */
constexpr int kLineRows = 3;

struct LineScratch {
  alignas(64) uint8_t codes[kLineWeights * kPanelRows];
  alignas(64) float steps[kLineWeights / 16][kPanelRows];
  alignas(64) float lows[kLineWeights / 16][kPanelRows];
  alignas(64) float sums[kPanelTileRows][kPanelRows];
};
static_assert(sizeof(LineScratch) <= kPanelTileScratch, "the scratch memory of tile.h");

/** log2 of the code of zero, signed codes with 128 added; -1 where it is 0. */
template <class Format>
constexpr int zeroBitsOf() {
  if (Format::kSigned) return 7;
  int bits = -1;
  for (int zero = Format::kZero; zero != 0; zero >>= 1) bits++;
  return bits;
}

/** Blocks from <= b < to of up to 16 rows; rows that are not there stay what they were. */
template <class Format>
POCKET_INLINE void takeApartRows(const uint8_t* rows, int64_t rowBytes, int64_t rowCount, int64_t from, int64_t to,
                                 LineScratch& lines) {
  static_assert(Format::kSigned || Format::kZero == 0 || (Format::kZero & (Format::kZero - 1)) == 0, "a shift");
  constexpr int kGroups = Format::kWeights / Format::kGroup;
  for (int64_t r = 0; r < rowCount; r++) {
    const auto* blocks = reinterpret_cast<const typename Format::Block*>(rows + r * rowBytes);
    for (int64_t b = from; b < to; b++) {
      alignas(32) uint8_t codes[Format::kWeights];
      float steps[kGroups];
      float lows[kGroups];
      Format::unpack(blocks[b], codes, steps, lows);
      uint8_t* words = lines.codes + (b - from) * Format::kWeights * kPanelRows + 4 * r;
      for (int w = 0; w < Format::kWeights / 4; w++) {
        uint32_t four;
        memcpy(&four, codes + 4 * w, sizeof four);
        if constexpr (Format::kSigned) four ^= 0x80808080;
        memcpy(words + 64 * w, &four, sizeof four);
      }
      for (int g = 0; g < kGroups; g++) {
        lines.steps[(b - from) * kGroups + g][r] = steps[g];
        if constexpr (Format::kAffine) lines.lows[(b - from) * kGroups + g][r] = lows[g];
      }
    }
  }
}

/** The groups of a piece: where it begins in the rows of x, and how many weights it has. */
struct LinePiece {
  int64_t from;
  int64_t count;
};

POCKET_INLINE __m256i fourOf(const uint8_t* p) {
  int32_t four;
  memcpy(&four, p, sizeof four);
  return _mm256_set1_epi32(four);
}

POCKET_INLINE __m256 oneOf(const uint8_t* p) { return _mm256_broadcast_ss(reinterpret_cast<const float*>(p)); }

template <int group, int zeroBits, bool affine, int rows>
POCKET_INLINE void addLines(const LineScratch& lines, const LinePiece& piece, const uint8_t* const* x,
                            const RoundedRowPlaces& places, float (*kept)[kPanelRows]) {
  __m256 sums[rows][2];
#pragma GCC unroll 3
  for (int r = 0; r < rows; r++) {
    sums[r][0] = _mm256_load_ps(kept[r]);
    sums[r][1] = _mm256_load_ps(kept[r] + 8);
  }
  for (int64_t g = 0; g < piece.count / group; g++) {
    const int64_t at = piece.from + g * group;
    const uint8_t* codes = lines.codes + g * group * kPanelRows;
    __m256i dots[rows][2];
#pragma GCC unroll 3
    for (int r = 0; r < rows; r++) {
      __m256i start = _mm256_setzero_si256();
      if constexpr (zeroBits >= 0) {
        const int64_t list = group == 32 ? places.negatedOf32 : places.negatedOf16;
        start = _mm256_slli_epi32(fourOf(x[r] + list + at / group * 4), zeroBits);
      }
      dots[r][0] = dots[r][1] = start;
    }
#pragma GCC unroll 8
    for (int t = 0; t < group / 4; t++) {
      const __m256i first = _mm256_load_si256(reinterpret_cast<const __m256i*>(codes + 64 * t));
      const __m256i second = _mm256_load_si256(reinterpret_cast<const __m256i*>(codes + 64 * t + 32));
#pragma GCC unroll 3
      for (int r = 0; r < rows; r++) {
        const __m256i four = fourOf(x[r] + at + 4 * t);
        dots[r][0] = addFourProducts(dots[r][0], first, four);
        dots[r][1] = addFourProducts(dots[r][1], second, four);
      }
    }
#pragma GCC unroll 3
    for (int r = 0; r < rows; r++) {
      const __m256 scale = oneOf(x[r] + places.scales + at / 32 * 4);
      for (int h = 0; h < 2; h++) {
        const __m256 by = _mm256_mul_ps(_mm256_load_ps(lines.steps[g] + 8 * h), scale);
        sums[r][h] = _mm256_fmadd_ps(_mm256_cvtepi32_ps(dots[r][h]), by, sums[r][h]);
      }
      if constexpr (affine) {
        const __m256 sum = oneOf(x[r] + (group == 32 ? places.sumsOf32 : places.sumsOf16) + at / group * 4);
        for (int h = 0; h < 2; h++) {
          sums[r][h] = _mm256_fmadd_ps(_mm256_load_ps(lines.lows[g] + 8 * h), sum, sums[r][h]);
        }
      }
    }
  }
#pragma GCC unroll 3
  for (int r = 0; r < rows; r++) {
    _mm256_store_ps(kept[r], sums[r][0]);
    _mm256_store_ps(kept[r] + 8, sums[r][1]);
  }
}

/** Adds a piece to the sums of all rows of x. Shared by formats. */
template <int group, int zeroBits, bool affine>
__attribute__((noinline)) void addLinesToRows(const MatmulTile& tile, const LinePiece& piece, LineScratch& scratch) {
  const RoundedRowPlaces places(tile.inFeatures);
  const uint8_t* x[kLineRows];
  for (int64_t r = 0; r < tile.rows;) {
    const int count = tile.rows - r >= kLineRows ? kLineRows : 1;
    for (int i = 0; i < count; i++) x[i] = tile.x + (tile.xRows != nullptr ? tile.xRows[r + i] : r + i) * tile.xRowBytes;
    if (count == 1) {
      addLines<group, zeroBits, affine, 1>(scratch, piece, x, places, scratch.sums + r);
    } else {
      addLines<group, zeroBits, affine, kLineRows>(scratch, piece, x, places, scratch.sums + r);
    }
    r += count;
  }
}

/** Rows of prompts; `tile.rows` is at most kPanelTileRows. */
template <class Format>
POCKET_INLINE void lineTile(const MatmulTile& tile) {
  LineScratch& scratch = *reinterpret_cast<LineScratch*>(tile.scratch);
  const int64_t blocks = tile.inFeatures / Format::kWeights;
  constexpr int64_t kBlocks = kLineWeights / Format::kWeights;
  for (int64_t o = 0; o < tile.outs; o += kPanelRows) {
    const int64_t outs = tile.outs - o < kPanelRows ? tile.outs - o : kPanelRows;
    memset(&scratch, 0, sizeof scratch - sizeof scratch.sums);
    memset(scratch.sums, 0, static_cast<size_t>(tile.rows) * sizeof scratch.sums[0]);
    for (int64_t from = 0; from < blocks; from += kBlocks) {
      const int64_t to = from + kBlocks < blocks ? from + kBlocks : blocks;
      takeApartRows<Format>(tile.weights + o * tile.rowBytes, tile.rowBytes, outs, from, to, scratch);
      const LinePiece piece = {from * Format::kWeights, (to - from) * Format::kWeights};
      addLinesToRows<Format::kGroup, zeroBitsOf<Format>(), Format::kAffine>(tile, piece, scratch);
    }
    for (int64_t r = 0; r < tile.rows; r++) {
      const int64_t row = tile.outRows != nullptr ? tile.outRows[r] : r;
      memcpy(tile.out + row * tile.outStride + o, scratch.sums[r], static_cast<size_t>(outs) * sizeof(float));
    }
  }
}

}  // namespace
