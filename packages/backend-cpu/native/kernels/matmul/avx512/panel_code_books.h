// Blocks of panel_blocks.h for formats whose groups of weights are points of a code book, or digits of base three. A
// point is looked up once for 16 rows: its entry says in half bytes which levels its eight weights have.
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
POCKET_INLINE __m512i lookUp(const LevelBook<entries>& book, __m512i indices) {
  return _mm512_i32gather_epi32(indices, book.at, 4);
}

/** Bits `from` to `from + count - 1` of each word. */
template <int from, int count>
POCKET_INLINE __m512i bitsOf(__m512i words) {
  const __m512i down = from == 0 ? words : _mm512_srli_epi32(words, from);
  return from + count == 32 ? down : _mm512_and_si512(down, _mm512_set1_epi32((1 << count) - 1));
}

/** Half `half` of each byte as a place in a table of sixteen. */
template <int half>
POCKET_INLINE __m512i pick(__m512i table, __m512i halves) {
  return _mm512_shuffle_epi8(table, field<4 * half, 15>(halves));
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
      const __m512i levels = lookUp(kIq2XxsLevels, bitsOf<8 * kPoint, 8>(word(2 * g)));
      const __m512i signs = lookUp(kEvenSigns, bitsOf<7 * kPoint, 7>(word(2 * g + 1)));
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
      const __m512i levels = lookUp(kIq1SLevels, index);
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

template <>
struct PanelBlock<format_tq1_0> : PanelWords<format_tq1_0> {
  __m512 scale;
  POCKET_METHOD PanelBlock(const Panel& panel, int64_t b) : PanelWords(panel, b), scale(halves(odd)) {}
  /** Digit `n` behind the point of each byte, a fraction of 256 to the base three. */
  template <int n>
  POCKET_METHOD static __m512i digit(__m512i fractions) {
    if constexpr (n > 0) {
      return digit<n - 1>(_mm512_add_epi8(_mm512_add_epi8(fractions, fractions), fractions));
    } else {
      const __m512i one = _mm512_set1_epi8(1);
      const __mmask64 isOne = _mm512_cmpgt_epu8_mask(fractions, _mm512_set1_epi8(85));
      const __mmask64 isTwo = _mm512_cmpgt_epu8_mask(fractions, _mm512_set1_epi8(static_cast<char>(170)));
      const __m512i ones = _mm512_maskz_mov_epi8(isOne, one);
      return _mm512_mask_add_epi8(ones, isTwo, ones, one);
    }
  }
  template <int g, int t>
  POCKET_METHOD __m512i codes() const {
    if constexpr (g < 5) return digit<g>(word(t));
    if constexpr (g == 5 || g == 6) return digit<2 * (g - 5) + (t >> 2)>(word(8 + (t & 3)));
    return t < 4 ? digit<4>(word(8 + (t & 3))) : digit<(t & 3)>(word(12));
  }
  template <int g>
  POCKET_METHOD __m512 step() const {
    return scale;
  }
};

}  // namespace
