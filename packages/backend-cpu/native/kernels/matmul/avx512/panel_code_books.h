// Blocks of panel_blocks.h for formats whose groups of weights are points of a code book. A point is looked up once for
// 16 rows: its entry says in half bytes which levels its eight weights have.
#pragma once

#include "panel_blocks.h"

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

/** The same for signs: the highest bit of each half byte. */
constexpr LevelBook<128> evenSignBook() {
  LevelBook<128> book{};
  for (int e = 0; e < 128; e++) {
    for (int k = 0; k < 8; k++) {
      const uint32_t sign = pocket_even_signs[e] >> k & 1;
      book.at[e] |= sign << (8 * (k & 3) + 4 * (k >> 2) + 3);
    }
  }
  return book;
}

constexpr auto kIq2XxsLevels = levelsOf<256, POCKET_IQ2_XXS_BITS>(pocket_iq2_xxs_codes);
constexpr auto kIq1SLevels = levelsOf<2048, POCKET_IQ1_S_BITS>(pocket_iq1_s_codes);
constexpr auto kEvenSigns = evenSignBook();

template <int entries>
POCKET_INLINE __m512i entriesOf(const LevelBook<entries>& book, __m512i indices) {
  return _mm512_i32gather_epi32(indices, book.at, 4);
}

/** Half `half` of each byte as a place in a table of sixteen. */
template <int half>
POCKET_INLINE __m512i pick(__m512i table, __m512i halves) {
  return lookUp(table, field<4 * half, 15>(halves));
}

template <>
struct PanelBlock<format_iq2_xxs> : PanelWords<format_iq2_xxs> {
  __m512 scale;
  __m512i values;
  /** Of the point that was asked for last: its second half follows its first. */
  mutable __m512i point;
  POCKET_METHOD PanelBlock(const Panel& panel, int64_t b) : PanelWords(panel, b), scale(halves(odd)) {
    constexpr const int8_t* level = pocket_iq2_xxs_levels;
    // Codes with their zero at 128; the second half is that of signs.
    alignas(16) int8_t table[16] = {};
    for (int l = 0; l < 3; l++) {
      table[l] = static_cast<int8_t>(level[l] ^ 0x80);
      table[8 + l] = static_cast<int8_t>(-level[l] ^ 0x80);
    }
    values = tableOf(table);
  }
  template <int g, int t>
  POCKET_METHOD __m512i codes() const {
    constexpr int kPoint = t >> 1;
    if constexpr ((t & 1) == 0) {
      const __m512i levels = entriesOf(kIq2XxsLevels, bitsOf<8 * kPoint, 8>(word(2 * g)));
      const __m512i signs = entriesOf(kEvenSigns, bitsOf<7 * kPoint, 7>(word(2 * g + 1)));
      point = _mm512_or_si512(levels, signs);
    }
    return pick<t & 1>(values, point);
  }
  /** As stepOf of code_books.h. */
  template <int g>
  POCKET_METHOD __m512 step() const {
    const __m512 sub = _mm512_cvtepi32_ps(bitsOf<28, 4>(word(2 * g + 1)));
    return _mm512_mul_ps(_mm512_mul_ps(scale, _mm512_add_ps(_mm512_set1_ps(0.5f), sub)), _mm512_set1_ps(0.25f));
  }
};

template <>
struct PanelBlock<format_iq1_s> : PanelWords<format_iq1_s> {
  __m512 scale;
  __m512i values;
  mutable __m512i point;
  POCKET_METHOD PanelBlock(const Panel& panel, int64_t b) : PanelWords(panel, b), scale(halves(odd)) {
    // Eight times each level, shifted up by one, then down by one: as kIq1S of code_books.h, with the zero at 128.
    alignas(16) int8_t table[16] = {};
    for (int l = 0; l < 3; l++) {
      table[l] = static_cast<int8_t>((8 * pocket_iq1_s_levels[l] + 1) ^ 0x80);
      table[4 + l] = static_cast<int8_t>((8 * pocket_iq1_s_levels[l] - 1) ^ 0x80);
    }
    values = tableOf(table);
  }
  /** The high bits of a group: three for each point, three of its step, and whether it is shifted down. */
  template <int g>
  POCKET_METHOD __m512i high() const {
    return word(8 + (g >> 1));
  }
  template <int g, int t>
  POCKET_METHOD __m512i codes() const {
    constexpr int kPoint = t >> 1;
    constexpr int kAt = 16 * (g & 1);
    if constexpr ((t & 1) == 0) {
      const __m512i low = bitsOf<8 * kPoint, 8>(word(g));
      const __m512i above = bitsOf<kAt + 3 * kPoint, 3>(high<g>());
      const __m512i index = _mm512_or_si512(low, _mm512_slli_epi32(above, 8));
      // The bit of the shift in every half byte, as the third.
      const __mmask16 down = _mm512_test_epi32_mask(high<g>(), _mm512_set1_epi32(static_cast<int>(0x8000u << kAt)));
      const __m512i levels = entriesOf(kIq1SLevels, index);
      point = _mm512_mask_or_epi32(levels, down, levels, _mm512_set1_epi32(0x44444444));
    }
    return pick<t & 1>(values, point);
  }
  template <int g>
  POCKET_METHOD __m512 step() const {
    const __m512i sub = bitsOf<16 * (g & 1) + 12, 3>(high<g>());
    const __m512i odd = _mm512_add_epi32(_mm512_slli_epi32(sub, 1), _mm512_set1_epi32(1));
    return _mm512_mul_ps(_mm512_mul_ps(scale, _mm512_cvtepi32_ps(odd)), _mm512_set1_ps(0.125f));
  }
};

}  // namespace
