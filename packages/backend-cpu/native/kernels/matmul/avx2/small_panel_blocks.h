// The blocks of panel_blocks.h of formats with 32, 64 or 128 weights.
#pragma once

#include "panel_blocks.h"

namespace {

/** Formats of 32 weights with a half as their scale. */
template <class Format>
struct OneScale : HalfPanelWords<Format> {
  using HalfPanelWords<Format>::HalfPanelWords;
  template <int g>
  POCKET_METHOD __m256 step() const {
    return halves(this->odd);
  }
};

template <>
struct HalfPanelBlock<format_q8_0> : OneScale<format_q8_0> {
  using OneScale::OneScale;
  template <int g, int t>
  POCKET_METHOD __m256i codes() const {
    return word(t);
  }
};

template <>
struct HalfPanelBlock<format_q4_0> : OneScale<format_q4_0> {
  using OneScale::OneScale;
  template <int g, int t>
  POCKET_METHOD __m256i codes() const {
    return field<t < 4 ? 0 : 4, 15>(word(t & 3));
  }
};

template <>
struct HalfPanelBlock<format_iq4_nl> : OneScale<format_iq4_nl> {
  using OneScale::OneScale;
  template <int g, int t>
  POCKET_METHOD __m256i codes() const {
    return _mm256_shuffle_epi8(tableOf(pocket_iq4_values), field<t < 4 ? 0 : 4, 15>(word(t & 3)));
  }
};

/** Byte `at` of each word in all its bytes. */
template <int at>
POCKET_INLINE __m256i spreadByte(__m256i words) {
  const __m256i first = _mm256_setr_epi32(0, 0x04040404, 0x08080808, 0x0c0c0c0c, 0, 0x04040404, 0x08080808, 0x0c0c0c0c);
  return _mm256_shuffle_epi8(words, _mm256_add_epi8(first, _mm256_set1_epi8(at)));
}

/** Where bit 4 * t + i of each word is set, byte i of the word is `value`. */
template <int t, int value>
POCKET_INLINE __m256i bytesOfBits(__m256i words) {
  const __m256i place = _mm256_set1_epi32((t & 1) == 0 ? 0x08040201 : static_cast<int>(0x80402010u));
  const __m256i bits = _mm256_and_si256(spreadByte<(t >> 1)>(words), place);
  return _mm256_and_si256(_mm256_cmpeq_epi8(bits, place), _mm256_set1_epi8(value));
}

template <>
struct HalfPanelBlock<format_q5_0> : OneScale<format_q5_0> {
  using OneScale::OneScale;
  template <int g, int t>
  POCKET_METHOD __m256i codes() const {
    return _mm256_or_si256(field<t < 4 ? 0 : 4, 15>(word(1 + (t & 3))), bytesOfBits<t, 16>(word(0)));
  }
};

template <>
struct HalfPanelBlock<format_q1_0> : OneScale<format_q1_0> {
  using OneScale::OneScale;
  template <int g, int t>
  POCKET_METHOD __m256i codes() const {
    return bytesOfBits<t, 2>(word(g));
  }
};

template <>
struct HalfPanelBlock<format_q2_0> : OneScale<format_q2_0> {
  using OneScale::OneScale;
  /** Byte t of group g holds four weights of two bits: each goes to its byte, there to bits 0 and 1 by a table. */
  template <int g, int t>
  POCKET_METHOD __m256i codes() const {
    const __m256i place = _mm256_set1_epi32(static_cast<int>(0xc0300c03u));
    const __m256i bits = _mm256_and_si256(spreadByte<(t & 3)>(word(2 * g + (t >> 2))), place);
    const __m256i low = field<0, 15>(_mm256_or_si256(bits, _mm256_srli_epi16(bits, 4)));
    const __m256i table = _mm256_setr_epi8(0, 1, 2, 3, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0,  //
                                           0, 1, 2, 3, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0);
    return _mm256_shuffle_epi8(table, low);
  }
};

/** Formats of 32 weights with two halves, scale and minimum, as their first word. */
template <class Format>
struct ScaleAndMin : HalfPanelWords<Format> {
  using HalfPanelWords<Format>::HalfPanelWords;
  template <int g>
  POCKET_METHOD __m256 step() const {
    return lowHalves(this->word(0));
  }
  template <int g>
  POCKET_METHOD __m256 low() const {
    return highHalves(this->word(0));
  }
};

template <>
struct HalfPanelBlock<format_q5_1> : ScaleAndMin<format_q5_1> {
  using ScaleAndMin::ScaleAndMin;
  template <int g, int t>
  POCKET_METHOD __m256i codes() const {
    return _mm256_or_si256(field<t < 4 ? 0 : 4, 15>(word(2 + (t & 3))), bytesOfBits<t, 16>(word(1)));
  }
};

template <>
struct HalfPanelBlock<format_q4_1> : ScaleAndMin<format_q4_1> {
  using ScaleAndMin::ScaleAndMin;
  template <int g, int t>
  POCKET_METHOD __m256i codes() const {
    return field<t < 4 ? 0 : 4, 15>(word(1 + (t & 3)));
  }
};

template <>
struct HalfPanelBlock<format_mxfp4> : HalfPanelWords<format_mxfp4> {
  using HalfPanelWords::HalfPanelWords;
  template <int g, int t>
  POCKET_METHOD __m256i codes() const {
    return _mm256_shuffle_epi8(tableOf(pocket_fp4_values), field<t < 4 ? 0 : 4, 15>(word(t & 3)));
  }
  /** 2^(exponent - 128); the two smallest are subnormal. */
  template <int g>
  POCKET_METHOD __m256 step() const {
    const __m256i e = _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(odd)));
    const __m256i one = _mm256_set1_epi32(1);
    const __m256i normal = _mm256_slli_epi32(_mm256_sub_epi32(e, one), 23);
    const __m256i small = _mm256_sllv_epi32(_mm256_set1_epi32(0x00200000), e);
    return _mm256_castsi256_ps(_mm256_blendv_epi8(small, normal, _mm256_cmpgt_epi32(e, one)));
  }
};

template <>
struct HalfPanelBlock<format_nvfp4> : HalfPanelWords<format_nvfp4> {
  using HalfPanelWords::HalfPanelWords;
  template <int g, int t>
  POCKET_METHOD __m256i codes() const {
    return _mm256_shuffle_epi8(tableOf(pocket_fp4_values), field<t < 2 ? 0 : 4, 15>(word(1 + 2 * g + (t & 1))));
  }
  /** m * 2^-10, or (1 + m / 8) * 2^(e - 8) put together from its bits; 0 for 127. */
  template <int g>
  POCKET_METHOD __m256 step() const {
    const __m256i number = _mm256_and_si256(_mm256_srli_epi32(word(0), 8 * g), _mm256_set1_epi32(255));
    const __m256i e = _mm256_and_si256(_mm256_srli_epi32(number, 3), _mm256_set1_epi32(15));
    const __m256i m = _mm256_and_si256(number, _mm256_set1_epi32(7));
    const __m256i bits = _mm256_or_si256(_mm256_slli_epi32(_mm256_add_epi32(e, _mm256_set1_epi32(119)), 23),
                                         _mm256_slli_epi32(m, 20));
    const __m256 small = _mm256_mul_ps(_mm256_cvtepi32_ps(m), _mm256_set1_ps(0x1p-10f));
    const __m256 isSmall = _mm256_castsi256_ps(_mm256_cmpeq_epi32(e, _mm256_setzero_si256()));
    const __m256i isNone = _mm256_cmpeq_epi32(number, _mm256_set1_epi32(127));
    const __m256 step = _mm256_blendv_ps(_mm256_castsi256_ps(bits), small, isSmall);
    return _mm256_andnot_ps(_mm256_castsi256_ps(isNone), step);
  }
};

}  // namespace
