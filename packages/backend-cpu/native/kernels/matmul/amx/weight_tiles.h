// Weights as tiles: row p of one holds weights 2p and 2p + 1 of 16 rows, side by side.
//
// Weights in blocks come from panels: w = step * code + (low - step * zero), then split in two bf16 parts, so that a
// product is as exact as the rounding of x lets it be. mxfp4 and bf16 are bf16 numbers already. f16 is the sum of two;
// its rows are turned by sixteens.
#pragma once

#include "../../../formats/decode_row.h"
#include "../../../vector/turn.h"
#include "../avx512/panel_code_books.h"
#include "bf16_parts.h"
#include "tiles.h"

namespace {

/** Weights of a row in one piece: two panels in two parts then fit the first-level cache. */
constexpr int64_t kPieceWeights = 256;
constexpr int kPieceSteps = kPieceWeights / kTileNumbers;

/** The weights of up to 32 rows in one piece: [step][part][panel]. Part 0 is the high one. */
struct WeightTiles {
  alignas(64) uint8_t at[kPieceSteps][2][2][kTileBytes];
};

/** Whether the high part is all of a weight. */
template <class Format>
constexpr bool kIsBf16 = false;
template <>
constexpr bool kIsBf16<format_bf16> = true;
template <>
constexpr bool kIsBf16<format_mxfp4> = true;

/** Writes weights `2 pair` and `2 pair + 1` of the piece. */
template <bool parts>
POCKET_INLINE void writePair(__m512 first, __m512 second, int64_t pair, int panel, WeightTiles& tiles) {
  auto& step = tiles.at[pair / kTileRows];
  const int64_t at = pair % kTileRows * kTileRowBytes;
  const __m512i high[2] = {upperBf16(first), upperBf16(second)};
  _mm512_store_si512(step[0][panel] + at, pairsOf(high[0], high[1]));
  if constexpr (parts) {
    const __m512i low[2] = {upperBf16(restOf(first, high[0])), upperBf16(restOf(second, high[1]))};
    _mm512_store_si512(step[1][panel] + at, pairsOf(low[0], low[1]));
  }
}

/** Writes weights `4 four` to `4 four + 3` of the piece: a line of codes, each step * code + base. */
template <bool parts>
POCKET_INLINE void writeFour(__m512i codes, __m512 step, __m512 base, int64_t four, int panel, WeightTiles& tiles) {
  writePair<parts>(_mm512_fmadd_ps(step, unsignedByte<0>(codes), base),
                   _mm512_fmadd_ps(step, unsignedByte<1>(codes), base), 2 * four, panel, tiles);
  writePair<parts>(_mm512_fmadd_ps(step, unsignedByte<2>(codes), base),
                   _mm512_fmadd_ps(step, unsignedByte<3>(codes), base), 2 * four + 1, panel, tiles);
}

/** The code of zero as a number. */
template <int zeroBits>
constexpr float kZeroCode = zeroBits < 0 ? 0.0f : static_cast<float>(1 << (zeroBits < 0 ? 0 : zeroBits));

/** Tiles of one panel, blocks `from` <= b < `to`, in registers. */
template <class Format>
__attribute__((noinline)) void tilesOfPanel(const Panel& panel, int64_t from, int64_t to, int p, WeightTiles& tiles) {
  constexpr int kGroups = Format::kWeights / Format::kGroup;
  constexpr int kFours = Format::kGroup / 4;
  constexpr int kZero = kZeroBits<Format>;
  for (int64_t b = from; b < to; b++) {
    const PanelBlock<Format> block(panel, b);
    unrolled<kGroups>([&](auto g) __attribute__((always_inline)) {
      const __m512 step = block.template step<g.kValue>();
      __m512 base = _mm512_setzero_ps();
      if constexpr (Format::kAffine) base = block.template low<g.kValue>();
      if constexpr (kZero >= 0) base = _mm512_fnmadd_ps(step, _mm512_set1_ps(kZeroCode<kZero>), base);
      unrolled<kFours>([&](auto t) __attribute__((always_inline)) {
        const int64_t four = ((b - from) * kGroups + g.kValue) * kFours + t.kValue;
        writeFour<!kIsBf16<Format>>(block.template codes<g.kValue, t.kValue>(), step, base, four, p, tiles);
      });
    });
  }
}

/** The high and the low parts of 32 halves or bf16s from `p` on, in order, of which `count` exist. */
template <class Format>
POCKET_INLINE void partsOfRow(const uint16_t* p, int64_t count, __m512i& high, __m512i& low) {
  const __mmask32 mask = count >= 32 ? 0xffffffff : (static_cast<__mmask32>(1) << count) - 1;
  const __m512i numbers = _mm512_maskz_loadu_epi16(mask, p);
  if constexpr (kIsBf16<Format>) {
    high = numbers;
  } else {
    __m256i halves[2][2];
    for (int half = 0; half < 2; half++) {
      const __m256i some = half == 0 ? _mm512_castsi512_si256(numbers) : _mm512_extracti64x4_epi64(numbers, 1);
      const __m512 x = _mm512_cvtph_ps(some);
      const __m512i upper = upperBf16OfAny(x);
      halves[0][half] = narrowed(upper);
      halves[1][half] = narrowed(upperBf16OfAny(restOfAny(x, upper)));
    }
    high = _mm512_inserti64x4(_mm512_castsi256_si512(halves[0][0]), halves[0][1], 1);
    low = _mm512_inserti64x4(_mm512_castsi256_si512(halves[1][0]), halves[1][1], 1);
  }
}

/** Tiles of up to 16 rows of plain numbers; rows that are not there, and numbers past the end, are zeros. */
template <class Format>
__attribute__((noinline)) void tilesOfRows(const uint8_t* rows, int64_t rowBytes, int64_t rowCount, int64_t count,
                                           int panel, WeightTiles& tiles) {
  for (int64_t from = 0; from < count; from += kTileNumbers) {
    __m512i parts[2][16];
    for (int r = 0; r < 16; r++) {
      parts[0][r] = parts[1][r] = _mm512_setzero_si512();
      if (r >= rowCount) continue;
      const uint16_t* p = reinterpret_cast<const uint16_t*>(rows + r * rowBytes) + from;
      partsOfRow<Format>(p, count - from, parts[0][r], parts[1][r]);
    }
    for (int part = 0; part < (kIsBf16<Format> ? 1 : 2); part++) {
      turn(parts[part]);
      uint8_t* to = tiles.at[from / kTileNumbers][part][panel];
      for (int p = 0; p < 16; p++) _mm512_store_si512(to + kTileRowBytes * p, parts[part][p]);
    }
  }
}

}  // namespace
