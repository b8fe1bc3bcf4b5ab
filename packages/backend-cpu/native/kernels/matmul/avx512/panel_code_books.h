// Blocks of panel_blocks.h for formats whose groups of weights are points of a large code book. A point is looked up
// once for 16 rows, by a gather: its entry says in half bytes which levels its eight weights have.
#pragma once

#include "panel_small_books.h"

namespace {

/** For each entry of a book: the level of weight k in the low half of byte k, that of weight k + 4 in the high half. */
template <int entries>
struct LevelBook {
  uint32_t at[entries];
};

template <int entries, int bits>
constexpr LevelBook<entries> levelsOf(const uint16_t (&codes)[entries]) {
  LevelBook<entries> book{};
  for (int e = 0; e < entries; e++) {
    for (int k = 0; k < 8; k++) {
      const uint32_t level = codes[e] >> bits * k & ((1 << bits) - 1);
      book.at[e] |= level << (8 * (k & 3) + 4 * (k >> 2));
    }
  }
  return book;
}

constexpr auto kIq2SLevels = levelsOf<1024, POCKET_IQ2_S_BITS>(pocket_iq2_s_codes);
constexpr auto kIq1SLevels = levelsOf<2048, POCKET_IQ1_S_BITS>(pocket_iq1_s_codes);

template <int entries>
POCKET_INLINE Words entriesOf(const LevelBook<entries>& book, Words indices) {
  return _mm512_i32gather_epi32(indices, book.at, 4);
}

/** Half `half` of each byte as a place in a table of sixteen. */
template <int half>
POCKET_INLINE Words pick(Words table, Words halves) {
  return lookUp(table, field<4 * half, 15>(halves));
}

template <>
struct PanelBlock<format_iq2_s> : FourBitSteps<format_iq2_s, 18> {
  Words values = operandsOf(pocket_iq2_s_levels);
  /** Of the point that was asked for last: its second half follows its first. */
  mutable Words point;
  using FourBitSteps::FourBitSteps;
  template <int g, int t>
  POCKET_METHOD Words codes() const {
    constexpr int kPoint = 2 * (g & 1) + (t >> 1);
    constexpr int kGroup = g >> 1;
    if constexpr ((t & 1) == 0) {
      const Words low = bitsOf<8 * kPoint, 8>(word(kGroup));
      const Words high = bitsOf<8 * (kGroup & 3) + 2 * kPoint, 2>(word(16 + (kGroup >> 2)));
      point = entriesOf(kIq2SLevels, low | _mm512_slli_epi32(high, 8));
    }
    return negateWhereSet<4 * (g & 1) + t>(pick<t & 1>(values, point), word(8 + kGroup));
  }
};

/** Values of -1, 0 and 1 times eight, shifted up by one, or down: as kIq1S of code_books.h. */
template <class Format>
struct ShiftedPoints : PanelWords<Format> {
  Words values;
  mutable Words point;
  POCKET_METHOD ShiftedPoints(const Panel& panel, int64_t b) : PanelWords<Format>(panel, b) {
    alignas(16) int8_t table[16] = {};
    for (int l = 0; l < 3; l++) {
      table[l] = static_cast<int8_t>(8 * pocket_iq1_s_levels[l] + 1);
      table[4 + l] = static_cast<int8_t>(8 * pocket_iq1_s_levels[l] - 1);
    }
    values = signedOperand(tableOf(table));
  }
  /** Takes the point with such a place, bits 0 to 7 and 8 to 10; shifted down where bit `down` of `high` is set. */
  template <int down>
  POCKET_METHOD void takePoint(Words low, Words above, Words high) const {
    const Words levels = entriesOf(kIq1SLevels, low | _mm512_slli_epi32(above, 8));
    const __mmask16 isDown = _mm512_test_epi32_mask(high, everyWord(1u << down));
    // The third bit of every half byte.
    point = _mm512_mask_or_epi32(levels, isDown, levels, everyWord(0x44444444));
  }
  /** (scale * (2 * sub + 1)) / 8 */
  POCKET_METHOD static Floats stepOf(Floats scale, Words sub) {
    return scale * numbersOf(2 * (Integers)sub + 1) * 0.125f;
  }
};

template <>
struct PanelBlock<format_iq1_s> : ShiftedPoints<format_iq1_s> {
  Floats scale;
  POCKET_METHOD PanelBlock(const Panel& panel, int64_t b) : ShiftedPoints(panel, b), scale(halves(odd)) {}
  /** The high bits of a group: three for each point, three of its step, and whether it is shifted down. */
  template <int g, int t>
  POCKET_METHOD Words codes() const {
    constexpr int kPoint = t >> 1;
    constexpr int kAt = 16 * (g & 1);
    if constexpr ((t & 1) == 0) {
      const Words high = word(8 + (g >> 1));
      takePoint<kAt + 15>(bitsOf<8 * kPoint, 8>(word(g)), bitsOf<kAt + 3 * kPoint, 3>(high), high);
    }
    return pick<t & 1>(values, point);
  }
  template <int g>
  POCKET_METHOD Floats step() const {
    return stepOf(scale, bitsOf<16 * (g & 1) + 12, 3>(word(8 + (g >> 1))));
  }
};

template <>
struct PanelBlock<format_iq1_m> : ShiftedPoints<format_iq1_m> {
  Floats scale;
  /** The bits of the scale are the top nibbles of the four halves of words 12 and 13. */
  POCKET_METHOD PanelBlock(const Panel& panel, int64_t b) : ShiftedPoints(panel, b) {
    const Words low = bitsOf<12, 4>(word(12)) | _mm512_slli_epi32(bitsOf<28, 4>(word(12)), 4);
    const Words high = bitsOf<12, 4>(word(13)) | _mm512_slli_epi32(bitsOf<28, 4>(word(13)), 4);
    scale = lowHalves(low | _mm512_slli_epi32(high, 8));
  }
  /** A nibble of high bits for each point: three of its place, then which way it is shifted. */
  template <int g, int t>
  POCKET_METHOD Words codes() const {
    constexpr int kPoint = 2 * g + (t >> 1);
    constexpr int kAt = 4 * (kPoint & 7);
    if constexpr ((t & 1) == 0) {
      const Words high = word(8 + (kPoint >> 3));
      takePoint<kAt + 3>(bitsOf<8 * (kPoint & 3), 8>(word(kPoint >> 2)), bitsOf<kAt, 3>(high), high);
    }
    return pick<t & 1>(values, point);
  }
  template <int g>
  POCKET_METHOD Floats step() const {
    return stepOf(scale, bitsOf<16 * ((g >> 2) & 1) + 3 * (g & 3), 3>(word(12 + (g >> 3))));
  }
};

}  // namespace
