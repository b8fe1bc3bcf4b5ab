// The blocks of panel_blocks.h of formats with 32, 64 or 128 weights.
#pragma once

#include "panel_blocks.h"

namespace {

/** A half as the only scale, in front of the words. */
template <class Format>
struct OneScale : PanelWords<Format> {
  using PanelWords<Format>::PanelWords;
  template <int g>
  POCKET_METHOD Floats step() const {
    return halves(this->odd);
  }
};

template <>
struct PanelBlock<format_q8_0> : OneScale<format_q8_0> {
  using OneScale::OneScale;
  template <int g, int t>
  POCKET_METHOD Words codes() const {
    return signedOperand(word(t));
  }
};

template <>
struct PanelBlock<format_q4_0> : OneScale<format_q4_0> {
  using OneScale::OneScale;
  template <int g, int t>
  POCKET_METHOD Words codes() const {
    return field<t < 4 ? 0 : 4, 15>(word(t & 3));
  }
};

template <>
struct PanelBlock<format_iq4_nl> : OneScale<format_iq4_nl> {
  using OneScale::OneScale;
  template <int g, int t>
  POCKET_METHOD Words codes() const {
    return lookUp(signedOperand(tableOf(pocket_iq4_values)), field<t < 4 ? 0 : 4, 15>(word(t & 3)));
  }
};

template <>
struct PanelBlock<format_q5_0> : OneScale<format_q5_0> {
  using OneScale::OneScale;
  template <int g, int t>
  POCKET_METHOD Words codes() const {
    return addWhereSet<t, 16>(field<t < 4 ? 0 : 4, 15>(word(1 + (t & 3))), word(0));
  }
};

template <>
struct PanelBlock<format_q1_0> : OneScale<format_q1_0> {
  using OneScale::OneScale;
  template <int g, int t>
  POCKET_METHOD Words codes() const {
    return addWhereSet<t, 2>(Words{}, word(g));
  }
};

template <>
struct PanelBlock<format_q2_0> : OneScale<format_q2_0> {
  using OneScale::OneScale;
  static constexpr int8_t kCodes[16] = {0, 1, 2, 3, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0};
  /** Byte t of group g holds four weights of two bits: each goes to its byte, there to bits 0 and 1 by a table. */
  template <int g, int t>
  POCKET_METHOD Words codes() const {
    const Words place = everyWord(0xc0300c03u);
    const Words bits = spreadByte<(t & 3)>(word(2 * g + (t >> 2))) & place;
    return lookUp(tableOf(kCodes), field<0, 15>(bits | moved<-4>(bits)));
  }
};

/** Scale and minimum as two halves, which are the first word. */
template <class Format>
struct ScaleAndMin : PanelWords<Format> {
  using PanelWords<Format>::PanelWords;
  template <int g>
  POCKET_METHOD Floats step() const {
    return lowHalves(this->word(0));
  }
  template <int g>
  POCKET_METHOD Floats low() const {
    return highHalves(this->word(0));
  }
};

template <>
struct PanelBlock<format_q5_1> : ScaleAndMin<format_q5_1> {
  using ScaleAndMin::ScaleAndMin;
  template <int g, int t>
  POCKET_METHOD Words codes() const {
    return addWhereSet<t, 16>(field<t < 4 ? 0 : 4, 15>(word(2 + (t & 3))), word(1));
  }
};

template <>
struct PanelBlock<format_q4_1> : ScaleAndMin<format_q4_1> {
  using ScaleAndMin::ScaleAndMin;
  template <int g, int t>
  POCKET_METHOD Words codes() const {
    return field<t < 4 ? 0 : 4, 15>(word(1 + (t & 3)));
  }
};

template <>
struct PanelBlock<format_mxfp4> : PanelWords<format_mxfp4> {
  using PanelWords::PanelWords;
  template <int g, int t>
  POCKET_METHOD Words codes() const {
    return lookUp(signedOperand(tableOf(pocket_fp4_values)), field<t < 4 ? 0 : 4, 15>(word(t & 3)));
  }
  /** 2^(exponent - 128); the two smallest are subnormal. */
  template <int g>
  POCKET_METHOD Floats step() const {
    const Integers e = (Integers)wordsOfBytes(odd);
    return (Floats)(e < 2 ? (e + 1) << 21 : (e - 1) << 23);
  }
};

template <>
struct PanelBlock<format_nvfp4> : PanelWords<format_nvfp4> {
  using PanelWords::PanelWords;
  template <int g, int t>
  POCKET_METHOD Words codes() const {
    const Words places = field<t < 2 ? 0 : 4, 15>(word(1 + 2 * g + (t & 1)));
    return lookUp(signedOperand(tableOf(pocket_fp4_values)), places);
  }
  /** m * 2^-10, or (1 + m / 8) * 2^(e - 8) put together from its bits; 0 for 127. */
  template <int g>
  POCKET_METHOD Floats step() const {
    const Integers number = (Integers)bitsOf<8 * g, 8>(word(0));
    const Integers e = number >> 3 & 15;
    const Integers m = number & 7;
    const Integers small = (Integers)(numbersOf(m) * 0x1p-10f);
    const Integers step = e == 0 ? small : (e + 119) << 23 | m << 20;
    return (Floats)(number == 127 ? Integers{} : step);
  }
};

}  // namespace
