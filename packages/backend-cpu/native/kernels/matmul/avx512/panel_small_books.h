// Blocks of panel_blocks.h for formats whose groups of weights are points of a code book of up to 512 entries of 16
// bits, with signs. 32 points are looked up at once, two in each word, by permutations of 64 entries.
#pragma once

#include "panel_blocks.h"

namespace {

/**
 * A book whose entries spread to bytes by one shift: of four weights the first two have their levels at bits 0 and 8,
 * the others at 4 and 12. The second four of eight weights have theirs two bits further on.
 */
template <int entries>
struct SpreadBook {
  alignas(64) uint16_t at[entries];
};

template <int weights, int bits, int entries>
constexpr SpreadBook<entries> spreadBookOf(const uint16_t (&codes)[entries]) {
  constexpr int kPlace[4] = {0, 8, 4, 12};
  SpreadBook<entries> book{};
  for (int e = 0; e < entries; e++) {
    int entry = 0;
    for (int k = 0; k < weights; k++) {
      entry |= (codes[e] >> bits * k & ((1 << bits) - 1)) << (kPlace[k & 3] + 2 * (k >> 2));
    }
    book.at[e] = static_cast<uint16_t>(entry);
  }
  return book;
}

constexpr auto kIq2XxsBook = spreadBookOf<8, POCKET_IQ2_XXS_BITS>(pocket_iq2_xxs_codes);
constexpr auto kIq2XsBook = spreadBookOf<8, POCKET_IQ2_XS_BITS>(pocket_iq2_xs_codes);
constexpr auto kIq3XxsBook = spreadBookOf<4, POCKET_IQ3_XXS_BITS>(pocket_iq3_xxs_codes);
constexpr auto kIq3SBook = spreadBookOf<4, POCKET_IQ3_S_BITS>(pocket_iq3_s_codes);

/** The entries at places below `count`, a place in each half of a word; what stands above a place is ignored. */
template <int count>
POCKET_INLINE Words entriesOf(const uint16_t* book, Words places) {
  if constexpr (count == 64) {
    return _mm512_permutex2var_epi16(loadWords(book), places, loadWords(book + 32));
  } else {
    const __mmask32 isUpper = _mm512_test_epi16_mask(places, _mm512_set1_epi16(count / 2));
    const Words lower = entriesOf<count / 2>(book, places);
    return _mm512_mask_mov_epi16(lower, isUpper, entriesOf<count / 2>(book + count / 2, places));
  }
}

/** Words moved up by `by` bits, or down where it is negative. */
template <int by>
POCKET_INLINE Words shifted(Words words) {
  if constexpr (by >= 0) {
    return _mm512_slli_epi32(words, by);
  } else {
    return _mm512_srli_epi32(words, -by);
  }
}

/** The levels of four weights of the entry in half `half` of each word: the last four of eight where `second`. */
template <int half, bool second, int bits>
POCKET_INLINE Words spreadLevels(Words entries) {
  constexpr int kFrom = 16 * half + (second ? 2 : 0);
  constexpr uint32_t kLevel = (1 << bits) - 1;
  const Words low = _mm512_and_si512(shifted<-kFrom>(entries), everyWord(0x0101 * kLevel));
  const Words up = shifted<12 - kFrom>(entries);
  return _mm512_ternarylogic_epi32(up, everyWord(0x01010000 * kLevel), low, 0xea);
}

/** A table of levels as operands of products. */
template <int count>
POCKET_INLINE Words operandsOf(const int8_t (&levels)[count]) {
  alignas(16) int8_t table[16] = {};
  for (int l = 0; l < count; l++) table[l] = levels[l];
  return signedOperand(tableOf(table));
}

/** Operands with their zero at 128, byte i of each word negated where bit 4 * t + i of its word of `bits` is set. */
template <int t>
POCKET_INLINE Words negateWhereSet(Words operands, Words bits) {
  return _mm512_mask_sub_epi8(operands, fourBits<t>(bits), _mm512_setzero_si512(), operands);
}

/** Bytes of seven signs, and an eighth by which the number of those that are set is even. */
POCKET_INLINE Words evenSigns(Words sevens) {
  constexpr int8_t o = INT8_MIN;
  static constexpr int8_t kOdd[16] = {0, o, o, 0, o, 0, 0, o, o, 0, 0, o, 0, o, o, 0};
  const Words folded = field<0, 15>(_mm512_xor_si512(sevens, moved<-4>(sevens)));
  return _mm512_or_si512(sevens, lookUp(tableOf(kOdd), folded));
}

/** Four fields of seven bits, one behind the other, as bytes. */
POCKET_INLINE Words bytesOfSevens(Words words) {
  Words bytes = _mm512_and_si512(words, everyWord(0x7f));
  bytes = _mm512_ternarylogic_epi32(_mm512_slli_epi32(words, 1), everyWord(0x7f00), bytes, 0xea);
  bytes = _mm512_ternarylogic_epi32(_mm512_slli_epi32(words, 2), everyWord(0x7f0000), bytes, 0xea);
  return _mm512_ternarylogic_epi32(_mm512_slli_epi32(words, 3), everyWord(0x7f000000), bytes, 0xea);
}

/** (scale * (0.5 + sub)) * factor, as stepOf of code_books.h. */
POCKET_INLINE Floats stepOf(Floats scale, Words sub, float factor) {
  return scale * (0.5f + numbersOf((Integers)sub)) * factor;
}

/** A scale, and for each group of 16 a sub-scale of four bits, from word `subs` on. */
template <class Format, int subs>
struct FourBitSteps : ScaledWords<Format> {
  using ScaledWords<Format>::ScaledWords;
  template <int g>
  POCKET_METHOD Floats step() const {
    return stepOf(this->scale, bitsOf<4 * (g & 7), 4>(this->word(subs + (g >> 3))), 0.25f);
  }
};

template <>
struct PanelBlock<format_iq2_xxs> : ScaledWords<format_iq2_xxs> {
  Words values = operandsOf(pocket_iq2_xxs_levels);
  /** Of the group that was asked for last, whose lines follow each other: points 0 and 2, 1 and 3. */
  mutable Words points[2];
  mutable Words signs;
  using ScaledWords::ScaledWords;
  template <int g, int t>
  POCKET_METHOD Words codes() const {
    constexpr int kPoint = t >> 1;
    if constexpr (t == 0) {
      const Words places = word(2 * g);
      points[0] = entriesOf<256>(kIq2XxsBook.at, places);
      points[1] = entriesOf<256>(kIq2XxsBook.at, _mm512_srli_epi16(places, 8));
      signs = evenSigns(bytesOfSevens(word(2 * g + 1)));
    }
    const Words levels = spreadLevels<(kPoint >> 1), (t & 1) != 0, POCKET_IQ2_XXS_BITS>(points[kPoint & 1]);
    return negateWhereSet<t>(lookUp(values, levels), signs);
  }
  template <int g>
  POCKET_METHOD Floats step() const {
    return stepOf(scale, bitsOf<28, 4>(word(2 * g + 1)), 0.25f);
  }
};

template <>
struct PanelBlock<format_iq2_xs> : FourBitSteps<format_iq2_xs, 16> {
  Words values = operandsOf(pocket_iq2_xs_levels);
  /** Of two groups, whose lines follow each other: points 0 and 1, 2 and 3. */
  mutable Words points[2];
  mutable Words signs;
  using FourBitSteps::FourBitSteps;
  template <int g, int t>
  POCKET_METHOD Words codes() const {
    constexpr int kPoint = 2 * (g & 1) + (t >> 1);
    if constexpr ((g & 1) == 0 && t == 0) {
      const Words first = word(g);
      const Words second = word(g + 1);
      points[0] = entriesOf<512>(kIq2XsBook.at, first);
      points[1] = entriesOf<512>(kIq2XsBook.at, second);
      Words sevens = bitsOf<9, 7>(first);
      sevens = _mm512_ternarylogic_epi32(_mm512_srli_epi32(first, 17), everyWord(0x7f00), sevens, 0xea);
      sevens = _mm512_ternarylogic_epi32(_mm512_slli_epi32(second, 7), everyWord(0x7f0000), sevens, 0xea);
      sevens = _mm512_ternarylogic_epi32(_mm512_srli_epi32(second, 1), everyWord(0x7f000000), sevens, 0xea);
      signs = evenSigns(sevens);
    }
    const Words levels = spreadLevels<(kPoint & 1), (t & 1) != 0, POCKET_IQ2_XS_BITS>(points[kPoint >> 1]);
    return negateWhereSet<4 * (g & 1) + t>(lookUp(values, levels), signs);
  }
};

template <>
struct PanelBlock<format_iq3_xxs> : ScaledWords<format_iq3_xxs> {
  Words values = operandsOf(pocket_iq3_xxs_levels);
  /** Of four lines that follow each other, a point each: 0 and 2, 1 and 3. */
  mutable Words points[2];
  mutable Words signs;
  using ScaledWords::ScaledWords;
  template <int g, int t>
  POCKET_METHOD Words codes() const {
    if constexpr (t == 0) signs = evenSigns(bytesOfSevens(word(16 + g)));
    if constexpr ((t & 3) == 0) {
      const Words places = word(2 * g + (t >> 2));
      points[0] = entriesOf<256>(kIq3XxsBook.at, places);
      points[1] = entriesOf<256>(kIq3XxsBook.at, _mm512_srli_epi16(places, 8));
    }
    const Words levels = spreadLevels<((t & 3) >> 1), false, POCKET_IQ3_XXS_BITS>(points[t & 1]);
    return negateWhereSet<t>(lookUp(values, levels), signs);
  }
  template <int g>
  POCKET_METHOD Floats step() const {
    return stepOf(scale, bitsOf<28, 4>(word(16 + g)), 0.5f);
  }
};

template <>
struct PanelBlock<format_iq3_s> : ScaledWords<format_iq3_s> {
  Words values = operandsOf(pocket_iq3_s_levels);
  /** Of four lines that follow each other, a point each: 0 and 2, 1 and 3. */
  mutable Words points[2];
  using ScaledWords::ScaledWords;
  /** Bit 8 of the low half of each place becomes bit `at` of a word of `bits`, that of the high half bit `at + 2`. */
  template <int at>
  POCKET_METHOD static Words withNinthBits(Words places, Words bits) {
    places = _mm512_ternarylogic_epi32(everyWord(0x100), shifted<8 - at>(bits), places, 0xca);
    return _mm512_ternarylogic_epi32(everyWord(0x1000000), shifted<22 - at>(bits), places, 0xca);
  }
  template <int g, int t>
  POCKET_METHOD Words codes() const {
    if constexpr ((t & 3) == 0) {
      constexpr int kAt = 8 * (g & 3) + t;
      const Words places = word(2 * g + (t >> 2));
      const Words bits = word(16 + (g >> 2));
      points[0] = entriesOf<512>(kIq3SBook.at, withNinthBits<kAt>(places, bits));
      points[1] = entriesOf<512>(kIq3SBook.at, withNinthBits<kAt + 1>(_mm512_srli_epi16(places, 8), bits));
    }
    const Words levels = spreadLevels<((t & 3) >> 1), false, POCKET_IQ3_S_BITS>(points[t & 1]);
    return negateWhereSet<t>(lookUp(values, levels), word(18 + g));
  }
  template <int g>
  POCKET_METHOD Floats step() const {
    return scale * numbersOf(2 * (Integers)bitsOf<4 * g, 4>(word(26)) + 1);
  }
};

}  // namespace
