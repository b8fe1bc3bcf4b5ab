// A block of a panel's rows in registers: how each format's words become operands of products of bytes. A register
// holds a word of every row that there is room for, `kPartRows`: all 16 of a panel, or a half of them.
//
//   codes<g, t>()   weights 4t to 4t + 3 of group g of each row, as bytes
//   step<g>()       what a code of group g is worth in each row
//   low<g>()        the offset of group g, where the format is affine
//
// Bytes are unsigned, with the format's own zero; those of signed codes are what signedOperand makes of them. The
// arithmetic of steps and lows is that of formats/*.h, so a weight is the same number on every path. Written over the
// types and small functions of registers.h, which the including file takes from its instruction set. Formats that have
// no block here or with their instruction set come apart row by row (avx2/lines.h).
#pragma once

#include "../../formats/panels.h"
#include "unrolled.h"

namespace {

/** Rows of a panel in one register. */
constexpr int kPartRows = sizeof(Words) / 4;

template <class Format>
struct PanelBlock {
  static constexpr bool kDirect = false;
};

/** Where a block begins; `part` counts by kPartRows rows. */
template <class Format>
struct PanelWords {
  static constexpr bool kDirect = true;
  const uint8_t* words;
  const uint8_t* odd;
  POCKET_METHOD PanelWords(const Panel& panel, int64_t b, int part = 0)
      : words(panel.words + b * PanelLayout<Format>::kWords * 64 + 4 * kPartRows * part),
        odd(panel.odd + (b * kPanelRows + kPartRows * part) * PanelLayout<Format>::kOddBytes) {}
  POCKET_METHOD Words word(int w) const { return loadWords(words + 64 * w); }
};

/** A half as the scale of the block, in the odd field. */
template <class Format>
struct ScaledWords : PanelWords<Format> {
  Floats scale;
  POCKET_METHOD ScaledWords(const Panel& panel, int64_t b, int part = 0)
      : PanelWords<Format>(panel, b, part), scale(halves(this->odd)) {}
};

/** d and min in word 0, eight scales and minima of six bits in the three that follow. */
template <class Format>
struct SixBitPairs : PanelWords<Format> {
  Floats scale;
  Floats min;
  Words scales[2];
  Words mins[2];
  POCKET_METHOD SixBitPairs(const Panel& panel, int64_t b, int part = 0) : PanelWords<Format>(panel, b, part) {
    const Words both = this->word(0);
    const Words first = this->word(1);
    const Words second = this->word(2);
    const Words third = this->word(3);
    scale = lowHalves(both);
    min = negated(highHalves(both));
    scales[0] = field<0, 63>(first);
    mins[0] = field<0, 63>(second);
    scales[1] = withBits<-2, 0x30>(field<0, 15>(third), first);
    mins[1] = withBits<-2, 0x30>(field<4, 15>(third), second);
  }
  template <int g>
  POCKET_METHOD Floats step() const {
    return scale * unsignedByte<g & 3>(scales[g >> 2]);
  }
  template <int g>
  POCKET_METHOD Floats low() const {
    return min * unsignedByte<g & 3>(mins[g >> 2]);
  }
};

template <>
struct PanelBlock<format_q4_k> : SixBitPairs<format_q4_k> {
  using SixBitPairs::SixBitPairs;
  template <int g, int t>
  POCKET_METHOD Words codes() const {
    return field<4 * (g & 1), 15>(word(4 + 8 * (g >> 1) + t));
  }
};

template <>
struct PanelBlock<format_q5_k> : SixBitPairs<format_q5_k> {
  using SixBitPairs::SixBitPairs;
  template <int g, int t>
  POCKET_METHOD Words codes() const {
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
struct PanelBlock<format_q6_k> : ScaledWords<format_q6_k> {
  using ScaledWords::ScaledWords;
  template <int g, int t>
  POCKET_METHOD Words codes() const {
    typedef SixteenthPlace<g, t> At;
    const Words low = word(16 * At::kHalf + 8 * (At::kQuarter & 1) + At::kWord);
    const Words high = word(32 + 8 * At::kHalf + At::kWord);
    return withBits<4 - 2 * At::kQuarter, 0x30>(field<At::kQuarter < 2 ? 0 : 4, 15>(low), high);
  }
  template <int g>
  POCKET_METHOD Floats step() const {
    return scale * signedByte<g & 3>(word(48 + (g >> 2)));
  }
};

template <>
struct PanelBlock<format_q3_k> : ScaledWords<format_q3_k> {
  using ScaledWords::ScaledWords;
  template <int g, int t>
  POCKET_METHOD Words codes() const {
    typedef SixteenthPlace<g, t> At;
    return withBits<2 - (g >> 1), 4>(field<2 * At::kQuarter, 3>(word(8 + 8 * At::kHalf + At::kWord)), word(At::kWord));
  }
  template <int g>
  POCKET_METHOD Floats step() const {
    constexpr int kFour = g >> 2;
    const Words low = field<kFour < 2 ? 0 : 4, 15>(word(24 + (kFour & 1)));
    const Floats number = unsignedByte<g & 3>(withBits<4 - 2 * kFour, 0x30>(low, word(26)));
    return scale * (number - 32.0f);
  }
};

template <>
struct PanelBlock<format_q2_k> : PanelWords<format_q2_k> {
  Floats scale;
  Floats min;
  POCKET_METHOD PanelBlock(const Panel& panel, int64_t b, int part = 0) : PanelWords(panel, b, part) {
    const Words both = word(20);
    scale = lowHalves(both);
    min = negated(highHalves(both));
  }
  template <int g, int t>
  POCKET_METHOD Words codes() const {
    typedef SixteenthPlace<g, t> At;
    return field<2 * At::kQuarter, 3>(word(4 + 8 * At::kHalf + At::kWord));
  }
  template <int g>
  POCKET_METHOD Floats step() const {
    return scale * unsignedByte<g & 3>(field<0, 15>(word(g >> 2)));
  }
  template <int g>
  POCKET_METHOD Floats low() const {
    return min * unsignedByte<g & 3>(field<4, 15>(word(g >> 2)));
  }
};

template <>
struct PanelBlock<format_iq4_xs> : PanelWords<format_iq4_xs> {
  Floats scale;
  POCKET_METHOD PanelBlock(const Panel& panel, int64_t b, int part = 0)
      : PanelWords(panel, b, part), scale(lowHalves(word(0))) {}
  template <int g, int t>
  POCKET_METHOD Words codes() const {
    const Words places = field<t < 4 ? 0 : 4, 15>(word(2 + 4 * g + (t & 3)));
    return lookUp(signedOperand(tableOf(pocket_iq4_values)), places);
  }
  template <int g>
  POCKET_METHOD Floats step() const {
    const Words low = bitsOf<4 * g, 4>(word(1));
    const Words high = bitsOf<16 + 2 * g, 2>(word(0));
    return scale * numbersOf((Integers)low + ((Integers)high << 4) - 32);
  }
};

/** Formats of 256 weights with that scale alone. */
template <class Format>
struct OneScaleOf256 : ScaledWords<Format> {
  using ScaledWords<Format>::ScaledWords;
  template <int g>
  POCKET_METHOD Floats step() const {
    return this->scale;
  }
};

template <>
struct PanelBlock<format_tq2_0> : OneScaleOf256<format_tq2_0> {
  using OneScaleOf256::OneScaleOf256;
  template <int g, int t>
  POCKET_METHOD Words codes() const {
    return field<2 * (g & 3), 3>(word(8 * (g >> 2) + t));
  }
};

template <>
struct PanelBlock<format_tq1_0> : OneScaleOf256<format_tq1_0> {
  using OneScaleOf256::OneScaleOf256;
  /** Digit `n` of bytes, as the first one of byte * 3^n modulo 256. */
  template <int n>
  POCKET_METHOD static Words digit(Words bytes) {
    if constexpr (n > 0) return digit<n - 1>((Words)((Bytes)bytes + ((Bytes)bytes + (Bytes)bytes)));
    return firstTernaryDigit(bytes);
  }
  /** Five digits of 32 bytes, then five of 16, then four of 4. */
  template <int g, int t>
  POCKET_METHOD Words codes() const {
    constexpr int kSixteen = 2 * (g - 5) + (t >> 2);
    if constexpr (g < 5) {
      return digit<g>(word(t));
    } else if constexpr (kSixteen < 5) {
      return digit<kSixteen>(word(8 + (t & 3)));
    } else {
      return digit<(t & 3)>(word(12));
    }
  }
};

}  // namespace
