// A block of 16 rows in registers: how each format's words of a panel become operands of vpdpbusd.
//
//   codes<g, t>()   weights 4t to 4t + 3 of group g of 16 rows, as unsigned bytes
//   step<g>()       what a code of group g is worth in each row
//   low<g>()        the offset of group g, where the format is affine
//
// Codes have their zero at 1 << kZeroBits (none where -1): formats with signed codes get 128 added. The arithmetic of
// steps and lows is that of formats/*.h, so a weight is the same number on every path. Formats without lines here
// or in panel_code_books.h come apart row by row (lines.h).
#pragma once

#include "registers.h"

namespace {

/** log2 of the code of zero in a panel; -1 where codes are not shifted. */
template <class Format>
constexpr int kZeroBits = Format::kSigned       ? 7
                          : Format::kZero == 0  ? -1
                          : Format::kZero == 1  ? 0
                          : Format::kZero == 4  ? 2
                          : Format::kZero == 8  ? 3
                          : Format::kZero == 16 ? 4
                                                : 5;

template <class Format>
struct PanelBlock {
  static constexpr bool kDirect = false;
};

/** Where a block of a panel begins. */
template <class Format>
struct PanelWords {
  static constexpr bool kDirect = true;
  const uint8_t* words;
  const uint8_t* odd;
  POCKET_METHOD PanelWords(const Panel& panel, int64_t b)
      : words(panel.words + b * PanelLayout<Format>::kWords * 64),
        odd(panel.odd + b * PanelLayout<Format>::kOddBytes * kPanelRows) {}
  POCKET_METHOD __m512i word(int w) const { return loadLine(words + 64 * w); }
};

/** d and min in word `scalesAt`, eight scales and minima of six bits in the three that follow. */
template <class Format>
struct SixBitPairs : PanelWords<Format> {
  __m512 scale;
  __m512 min;
  __m512i scales[2];
  __m512i mins[2];
  POCKET_METHOD SixBitPairs(const Panel& panel, int64_t b) : PanelWords<Format>(panel, b) {
    const __m512i both = this->word(0);
    const __m512i first = this->word(1);
    const __m512i second = this->word(2);
    const __m512i third = this->word(3);
    scale = lowHalves(both);
    min = negated(highHalves(both));
    scales[0] = field<0, 63>(first);
    mins[0] = field<0, 63>(second);
    scales[1] = withBits<-2, 0x30>(field<0, 15>(third), first);
    mins[1] = withBits<-2, 0x30>(field<4, 15>(third), second);
  }
  template <int g>
  POCKET_METHOD __m512 step() const {
    return _mm512_mul_ps(scale, unsignedByte<g & 3>(scales[g >> 2]));
  }
  template <int g>
  POCKET_METHOD __m512 low() const {
    return _mm512_mul_ps(min, unsignedByte<g & 3>(mins[g >> 2]));
  }
};

template <>
struct PanelBlock<format_q4_k> : SixBitPairs<format_q4_k> {
  using SixBitPairs::SixBitPairs;
  template <int g, int t>
  POCKET_METHOD __m512i codes() const {
    return field<4 * (g & 1), 15>(word(4 + 8 * (g >> 1) + t));
  }
};

template <>
struct PanelBlock<format_q5_k> : SixBitPairs<format_q5_k> {
  using SixBitPairs::SixBitPairs;
  template <int g, int t>
  POCKET_METHOD __m512i codes() const {
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
struct PanelBlock<format_q6_k> : PanelWords<format_q6_k> {
  __m512 scale;
  POCKET_METHOD PanelBlock(const Panel& panel, int64_t b) : PanelWords(panel, b), scale(halves(odd)) {}
  template <int g, int t>
  POCKET_METHOD __m512i codes() const {
    typedef SixteenthPlace<g, t> At;
    const __m512i low = word(16 * At::kHalf + 8 * (At::kQuarter & 1) + At::kWord);
    const __m512i high = word(32 + 8 * At::kHalf + At::kWord);
    return withBits<4 - 2 * At::kQuarter, 0x30>(field<At::kQuarter < 2 ? 0 : 4, 15>(low), high);
  }
  template <int g>
  POCKET_METHOD __m512 step() const {
    return _mm512_mul_ps(scale, signedByte<g & 3>(word(48 + (g >> 2))));
  }
};

template <>
struct PanelBlock<format_q3_k> : PanelWords<format_q3_k> {
  __m512 scale;
  __m512i scales[4];
  POCKET_METHOD PanelBlock(const Panel& panel, int64_t b) : PanelWords(panel, b), scale(halves(odd)) {
    const __m512i first = word(24);
    const __m512i second = word(25);
    const __m512i high = word(26);
    scales[0] = withBits<4, 0x30>(field<0, 15>(first), high);
    scales[1] = withBits<2, 0x30>(field<0, 15>(second), high);
    scales[2] = withBits<0, 0x30>(field<4, 15>(first), high);
    scales[3] = withBits<-2, 0x30>(field<4, 15>(second), high);
  }
  template <int g, int t>
  POCKET_METHOD __m512i codes() const {
    typedef SixteenthPlace<g, t> At;
    return withBits<2 - (g >> 1), 4>(field<2 * At::kQuarter, 3>(word(8 + 8 * At::kHalf + At::kWord)), word(At::kWord));
  }
  template <int g>
  POCKET_METHOD __m512 step() const {
    return _mm512_mul_ps(scale, _mm512_sub_ps(unsignedByte<g & 3>(scales[g >> 2]), _mm512_set1_ps(32.0f)));
  }
};

template <>
struct PanelBlock<format_q2_k> : PanelWords<format_q2_k> {
  __m512 scale;
  __m512 min;
  POCKET_METHOD PanelBlock(const Panel& panel, int64_t b) : PanelWords(panel, b) {
    const __m512i both = word(20);
    scale = lowHalves(both);
    min = negated(highHalves(both));
  }
  template <int g, int t>
  POCKET_METHOD __m512i codes() const {
    typedef SixteenthPlace<g, t> At;
    return field<2 * At::kQuarter, 3>(word(4 + 8 * At::kHalf + At::kWord));
  }
  template <int g>
  POCKET_METHOD __m512 step() const {
    return _mm512_mul_ps(scale, unsignedByte<g & 3>(field<0, 15>(word(g >> 2))));
  }
  template <int g>
  POCKET_METHOD __m512 low() const {
    return _mm512_mul_ps(min, unsignedByte<g & 3>(field<4, 15>(word(g >> 2))));
  }
};

template <>
struct PanelBlock<format_tq2_0> : PanelWords<format_tq2_0> {
  __m512 scale;
  POCKET_METHOD PanelBlock(const Panel& panel, int64_t b) : PanelWords(panel, b), scale(halves(odd)) {}
  template <int g, int t>
  POCKET_METHOD __m512i codes() const {
    return field<2 * (g & 3), 3>(word(8 * (g >> 2) + t));
  }
  template <int g>
  POCKET_METHOD __m512 step() const {
    return scale;
  }
};

/** Formats of 32 weights with a half as their scale. */
template <class Format>
struct OneScale : PanelWords<Format> {
  POCKET_METHOD OneScale(const Panel& panel, int64_t b) : PanelWords<Format>(panel, b) {}
  template <int g>
  POCKET_METHOD __m512 step() const {
    return halves(this->odd);
  }
};

template <>
struct PanelBlock<format_q8_0> : OneScale<format_q8_0> {
  using OneScale::OneScale;
  template <int g, int t>
  POCKET_METHOD __m512i codes() const {
    return _mm512_xor_si512(word(t), _mm512_set1_epi8(static_cast<char>(0x80)));
  }
};

template <>
struct PanelBlock<format_q4_0> : OneScale<format_q4_0> {
  using OneScale::OneScale;
  template <int g, int t>
  POCKET_METHOD __m512i codes() const {
    return field<t < 4 ? 0 : 4, 15>(word(t & 3));
  }
};

template <>
struct PanelBlock<format_q4_1> : PanelWords<format_q4_1> {
  using PanelWords::PanelWords;
  template <int g, int t>
  POCKET_METHOD __m512i codes() const {
    return field<t < 4 ? 0 : 4, 15>(word(1 + (t & 3)));
  }
  template <int g>
  POCKET_METHOD __m512 step() const {
    return lowHalves(word(0));
  }
  template <int g>
  POCKET_METHOD __m512 low() const {
    return highHalves(word(0));
  }
};

}  // namespace
