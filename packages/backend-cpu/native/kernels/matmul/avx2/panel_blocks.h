// A block of eight rows of a panel in registers: how each format's words become operands of products of bytes.
//
//   codes<g, t>()   weights 4t to 4t + 3 of group g of eight rows, as bytes: signed where the format's codes are
//   step<g>()       what a code of group g is worth in each row
//   low<g>()        the offset of group g, where the format is affine
//
// The arithmetic of steps and lows is that of formats/*.h, so a weight is the same number on every path. Formats
// without a line here come apart row by row (lines.h).
#pragma once

#include "registers.h"

namespace {

template <class Format>
struct HalfPanelBlock {
  static constexpr bool kDirect = false;
};

/** Where a block of half a panel begins. */
template <class Format>
struct HalfPanelWords {
  static constexpr bool kDirect = true;
  const uint8_t* words;
  const uint8_t* odd;
  POCKET_METHOD HalfPanelWords(const Panel& panel, int64_t b, int half)
      : words(panel.words + b * PanelLayout<Format>::kWords * 64 + 32 * half),
        odd(panel.odd + (b * kPanelRows + 8 * half) * PanelLayout<Format>::kOddBytes) {}
  POCKET_METHOD __m256i word(int w) const { return loadWords(words + 64 * w); }
};

/** d and min in word 0, eight scales and minima of six bits in the three that follow. */
template <class Format>
struct SixBitPairs : HalfPanelWords<Format> {
  __m256 scale;
  __m256 min;
  __m256i scales[2];
  __m256i mins[2];
  POCKET_METHOD SixBitPairs(const Panel& panel, int64_t b, int half) : HalfPanelWords<Format>(panel, b, half) {
    const __m256i both = this->word(0);
    const __m256i first = this->word(1);
    const __m256i second = this->word(2);
    const __m256i third = this->word(3);
    scale = lowHalves(both);
    min = negated(highHalves(both));
    scales[0] = field<0, 63>(first);
    mins[0] = field<0, 63>(second);
    scales[1] = withBits<-2, 0x30>(field<0, 15>(third), first);
    mins[1] = withBits<-2, 0x30>(field<4, 15>(third), second);
  }
  template <int g>
  POCKET_METHOD __m256 step() const {
    return _mm256_mul_ps(scale, unsignedByte<g & 3>(scales[g >> 2]));
  }
  template <int g>
  POCKET_METHOD __m256 low() const {
    return _mm256_mul_ps(min, unsignedByte<g & 3>(mins[g >> 2]));
  }
};

template <>
struct HalfPanelBlock<format_q4_k> : SixBitPairs<format_q4_k> {
  using SixBitPairs::SixBitPairs;
  template <int g, int t>
  POCKET_METHOD __m256i codes() const {
    return field<4 * (g & 1), 15>(word(4 + 8 * (g >> 1) + t));
  }
};

template <>
struct HalfPanelBlock<format_q5_k> : SixBitPairs<format_q5_k> {
  using SixBitPairs::SixBitPairs;
  template <int g, int t>
  POCKET_METHOD __m256i codes() const {
    return withBits<4 - g, 16>(field<4 * (g & 1), 15>(word(12 + 8 * (g >> 1) + t)), word(4 + t));
  }
};

/** Groups of 16 weights: which word of 32 bytes they stand in, and the quarter of a half block. */
template <int g, int t>
struct SixteenthPlace {
  static constexpr int kHalf = g >> 3;
  static constexpr int kQuarter = (g & 7) >> 1;
  static constexpr int kWord = 4 * (g & 1) + t;
};

template <>
struct HalfPanelBlock<format_q6_k> : HalfPanelWords<format_q6_k> {
  __m256 scale;
  POCKET_METHOD HalfPanelBlock(const Panel& panel, int64_t b, int half)
      : HalfPanelWords(panel, b, half), scale(halves(odd)) {}
  template <int g, int t>
  POCKET_METHOD __m256i codes() const {
    typedef SixteenthPlace<g, t> At;
    const __m256i low = word(16 * At::kHalf + 8 * (At::kQuarter & 1) + At::kWord);
    const __m256i high = word(32 + 8 * At::kHalf + At::kWord);
    return withBits<4 - 2 * At::kQuarter, 0x30>(field<At::kQuarter < 2 ? 0 : 4, 15>(low), high);
  }
  template <int g>
  POCKET_METHOD __m256 step() const {
    return _mm256_mul_ps(scale, signedByte<g & 3>(word(48 + (g >> 2))));
  }
};

template <>
struct HalfPanelBlock<format_q2_k> : HalfPanelWords<format_q2_k> {
  __m256 scale;
  __m256 min;
  POCKET_METHOD HalfPanelBlock(const Panel& panel, int64_t b, int half) : HalfPanelWords(panel, b, half) {
    const __m256i both = word(20);
    scale = lowHalves(both);
    min = negated(highHalves(both));
  }
  template <int g, int t>
  POCKET_METHOD __m256i codes() const {
    typedef SixteenthPlace<g, t> At;
    return field<2 * At::kQuarter, 3>(word(4 + 8 * At::kHalf + At::kWord));
  }
  template <int g>
  POCKET_METHOD __m256 step() const {
    return _mm256_mul_ps(scale, unsignedByte<g & 3>(field<0, 15>(word(g >> 2))));
  }
  template <int g>
  POCKET_METHOD __m256 low() const {
    return _mm256_mul_ps(min, unsignedByte<g & 3>(field<4, 15>(word(g >> 2))));
  }
};

template <>
struct HalfPanelBlock<format_tq2_0> : HalfPanelWords<format_tq2_0> {
  __m256 scale;
  POCKET_METHOD HalfPanelBlock(const Panel& panel, int64_t b, int half)
      : HalfPanelWords(panel, b, half), scale(halves(odd)) {}
  template <int g, int t>
  POCKET_METHOD __m256i codes() const {
    return field<2 * (g & 3), 3>(word(8 * (g >> 2) + t));
  }
  template <int g>
  POCKET_METHOD __m256 step() const {
    return scale;
  }
};

/** Digit `n` of bytes in base three, as the first digit of byte * 3^n modulo 256. */
template <int n>
POCKET_INLINE __m256i ternaryDigit(__m256i bytes) {
  if constexpr (n > 0) {
    return ternaryDigit<n - 1>(_mm256_add_epi8(bytes, _mm256_add_epi8(bytes, bytes)));
  } else {
    // byte * 3 >> 8: whether it reaches 86, and 171.
    const __m256i one = _mm256_cmpeq_epi8(_mm256_max_epu8(bytes, _mm256_set1_epi8(86)), bytes);
    const __m256i two = _mm256_cmpeq_epi8(_mm256_max_epu8(bytes, _mm256_set1_epi8(static_cast<char>(171))), bytes);
    return _mm256_abs_epi8(_mm256_add_epi8(one, two));
  }
}

template <>
struct HalfPanelBlock<format_tq1_0> : HalfPanelWords<format_tq1_0> {
  __m256 scale;
  POCKET_METHOD HalfPanelBlock(const Panel& panel, int64_t b, int half)
      : HalfPanelWords(panel, b, half), scale(halves(odd)) {}
  /** Five digits of 32 bytes, then five of 16, then four of 4. */
  template <int g, int t>
  POCKET_METHOD __m256i codes() const {
    constexpr int kSixteen = 2 * (g - 5) + (t >> 2);
    if constexpr (g < 5) {
      return ternaryDigit<g>(word(t));
    } else if constexpr (kSixteen < 5) {
      return ternaryDigit<kSixteen>(word(8 + (t & 3)));
    } else {
      return ternaryDigit<(t & 3)>(word(12));
    }
  }
  template <int g>
  POCKET_METHOD __m256 step() const {
    return scale;
  }
};

template <>
struct HalfPanelBlock<format_q3_k> : HalfPanelWords<format_q3_k> {
  __m256 scale;
  POCKET_METHOD HalfPanelBlock(const Panel& panel, int64_t b, int half)
      : HalfPanelWords(panel, b, half), scale(halves(odd)) {}
  template <int g, int t>
  POCKET_METHOD __m256i codes() const {
    typedef SixteenthPlace<g, t> At;
    const __m256i low = field<2 * At::kQuarter, 3>(word(8 + 8 * At::kHalf + At::kWord));
    return withBits<2 - 4 * At::kHalf - At::kQuarter, 4>(low, word(At::kWord));
  }
  template <int g>
  POCKET_METHOD __m256 step() const {
    constexpr int kFour = g >> 2;
    const __m256i low = field<kFour < 2 ? 0 : 4, 15>(word(24 + (kFour & 1)));
    const __m256 number = unsignedByte<g & 3>(withBits<4 - 2 * kFour, 0x30>(low, word(26)));
    return _mm256_mul_ps(scale, _mm256_sub_ps(number, _mm256_set1_ps(32.0f)));
  }
};

template <>
struct HalfPanelBlock<format_iq4_xs> : HalfPanelWords<format_iq4_xs> {
  __m256 scale;
  POCKET_METHOD HalfPanelBlock(const Panel& panel, int64_t b, int half)
      : HalfPanelWords(panel, b, half), scale(lowHalves(word(0))) {}
  template <int g, int t>
  POCKET_METHOD __m256i codes() const {
    return _mm256_shuffle_epi8(tableOf(pocket_iq4_values), field<t < 4 ? 0 : 4, 15>(word(2 + 4 * g + (t & 3))));
  }
  template <int g>
  POCKET_METHOD __m256 step() const {
    const __m256i low = _mm256_and_si256(_mm256_srli_epi32(word(1), 4 * g), _mm256_set1_epi32(15));
    const __m256i high = _mm256_and_si256(_mm256_srli_epi32(word(0), 16 + 2 * g), _mm256_set1_epi32(3));
    const __m256i number = _mm256_or_si256(low, _mm256_slli_epi32(high, 4));
    return _mm256_mul_ps(scale, _mm256_cvtepi32_ps(_mm256_sub_epi32(number, _mm256_set1_epi32(32))));
  }
};

}  // namespace
