// Formats whose groups of weights are points of a code book, with signs or a shift.
#pragma once

#include "unpacked.h"

namespace {

/** A code book spelled out: one byte a value, eight (or four) values a word. */
template <class Word, int entries>
struct Points {
  Word at[entries];
};

/** Each level multiplied by `factor`, as two's complement. */
template <class Word, int entries, int bits>
constexpr Points<Word, entries> pointsOf(const uint16_t (&codes)[entries], const int8_t* levels, int factor) {
  Points<Word, entries> points{};
  for (int e = 0; e < entries; e++) {
    Word word = 0;
    for (int k = 0; k < static_cast<int>(sizeof(Word)); k++) {
      const int level = codes[e] >> bits * k & ((1 << bits) - 1);
      word |= static_cast<Word>(static_cast<uint8_t>(levels[level] * factor)) << 8 * k;
    }
    points.at[e] = word;
  }
  return points;
}

constexpr auto kIq2Xxs = pointsOf<uint64_t, 256, POCKET_IQ2_XXS_BITS>(pocket_iq2_xxs_codes, pocket_iq2_xxs_levels, 1);
constexpr auto kIq2Xs = pointsOf<uint64_t, 512, POCKET_IQ2_XS_BITS>(pocket_iq2_xs_codes, pocket_iq2_xs_levels, 1);
constexpr auto kIq2S = pointsOf<uint64_t, 1024, POCKET_IQ2_S_BITS>(pocket_iq2_s_codes, pocket_iq2_s_levels, 1);
constexpr auto kIq3Xxs = pointsOf<uint32_t, 256, POCKET_IQ3_XXS_BITS>(pocket_iq3_xxs_codes, pocket_iq3_xxs_levels, 1);
constexpr auto kIq3S = pointsOf<uint32_t, 512, POCKET_IQ3_S_BITS>(pocket_iq3_s_codes, pocket_iq3_s_levels, 1);
/** Eight times the values -1, 0 and 1, so that the shift of an eighth is a whole number too. */
constexpr auto kIq1S = pointsOf<uint64_t, 2048, POCKET_IQ1_S_BITS>(pocket_iq1_s_codes, pocket_iq1_s_levels, 8);

/** Four points of eight bytes, none of them 0: byte k negated where bit k of `signs` is set. */
POCKET_INLINE void writeSigned(const uint64_t points[4], uint32_t signs, uint8_t* codes) {
#ifdef __AVX2__
  const __m256i isSet = bitsToBytes(signs);
  // From registers: four stores and one load of all would wait for each other.
  const __m256i values = _mm256_set_epi64x(static_cast<int64_t>(points[3]), static_cast<int64_t>(points[2]),
                                           static_cast<int64_t>(points[1]), static_cast<int64_t>(points[0]));
  const __m256i negated = _mm256_sub_epi8(_mm256_xor_si256(values, isSet), isSet);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(codes), negated);
#else
  for (int g = 0; g < 4; g++) {
    // Negating is inverting and adding one; no byte is 0, so nothing carries into the next.
    const uint64_t spread = (signs >> 8 * g & 255) * 0x0101010101010101u & 0x8040201008040201u;
    const uint64_t ones = (spread + 0x7f7f7f7f7f7f7f7fu) >> 7 & 0x0101010101010101u;
    const uint64_t negated = (points[g] ^ ones * 255) + ones;
    memcpy(codes + 8 * g, &negated, 8);
  }
#endif
}

/** The four bytes of signs that belong to four indices of seven bits. */
POCKET_INLINE uint32_t evenSignsOf(uint32_t indices) {
  uint32_t signs = 0;
  for (int g = 0; g < 4; g++) signs |= static_cast<uint32_t>(pocket_even_signs[indices >> 7 * g & 127]) << 8 * g;
  return signs;
}

/** Four points of eight bytes, multiples of 8: plus 1, or minus 1 where bit g of `down` is set for point g. */
POCKET_INLINE void writeShifted(const uint64_t points[4], uint32_t down, uint8_t* codes) {
  for (int g = 0; g < 4; g++) {
    const uint64_t shift = down >> g & 1 ? ~uint64_t{0} : 0x0101010101010101u;
    // Sums of bytes without carries between them.
    const uint64_t low = (points[g] & 0x7f7f7f7f7f7f7f7fu) + (shift & 0x7f7f7f7f7f7f7f7fu);
    const uint64_t sum = low ^ ((points[g] ^ shift) & 0x8080808080808080u);
    memcpy(codes + 8 * g, &sum, 8);
  }
}

/** (scale * (0.5 + subScale)) * factor. */
POCKET_INLINE float stepOf(float scale, uint32_t subScale, float factor) {
  return scale * (0.5f + static_cast<float>(subScale)) * factor;
}

struct format_iq2_xxs : FormatTraits<pocket_iq2_xxs, 256, 32, 0, true, false> {
  POCKET_INLINE void unpack(const Block& b, uint8_t* codes, float* steps, float*) {
    const float scale = floatOfHalf(b.scale);
    for (int s = 0; s < 8; s++) {
      const uint32_t indices = b.q[2 * s];
      const uint32_t word = b.q[2 * s + 1];
      steps[s] = stepOf(scale, word >> 28, 0.25f);
      uint64_t points[4];
      for (int g = 0; g < 4; g++) points[g] = kIq2Xxs.at[indices >> 8 * g & 255];
      writeSigned(points, evenSignsOf(word), codes + 32 * s);
    }
  }
};

struct format_iq2_xs : FormatTraits<pocket_iq2_xs, 256, 16, 0, true, false> {
  POCKET_INLINE void unpack(const Block& b, uint8_t* codes, float* steps, float*) {
    const float scale = floatOfHalf(b.scale);
    for (int s = 0; s < 8; s++) {
      uint64_t points[4];
      uint32_t signs = 0;
      for (int g = 0; g < 4; g++) {
        const uint32_t q = b.q[4 * s + g];
        points[g] = kIq2Xs.at[q & 511];
        signs |= static_cast<uint32_t>(pocket_even_signs[q >> 9]) << 8 * g;
      }
      writeSigned(points, signs, codes + 32 * s);
    }
    for (int s = 0; s < 16; s++) steps[s] = stepOf(scale, b.sub_scales[s >> 1] >> 4 * (s & 1) & 15, 0.25f);
  }
};

struct format_iq2_s : FormatTraits<pocket_iq2_s, 256, 16, 0, true, false> {
  POCKET_INLINE void unpack(const Block& b, uint8_t* codes, float* steps, float*) {
    const float scale = floatOfHalf(b.scale);
    for (int s = 0; s < 8; s++) {
      uint64_t points[4];
      uint32_t signs;
      memcpy(&signs, b.signs + 4 * s, sizeof signs);
      for (int g = 0; g < 4; g++) points[g] = kIq2S.at[b.q[4 * s + g] | (b.q_high[s] >> 2 * g & 3) << 8];
      writeSigned(points, signs, codes + 32 * s);
    }
    for (int s = 0; s < 16; s++) steps[s] = stepOf(scale, b.sub_scales[s >> 1] >> 4 * (s & 1) & 15, 0.25f);
  }
};

struct format_iq3_xxs : FormatTraits<pocket_iq3_xxs, 256, 32, 0, true, false> {
  POCKET_INLINE void unpack(const Block& b, uint8_t* codes, float* steps, float*) {
    const float scale = floatOfHalf(b.scale);
    for (int s = 0; s < 8; s++) {
      const uint32_t word = b.signs[s];
      steps[s] = stepOf(scale, word >> 28, 0.5f);
      uint64_t points[4];
      for (int g = 0; g < 4; g++) {
        const uint8_t* index = b.q + 8 * s + 2 * g;
        points[g] = kIq3Xxs.at[index[0]] | static_cast<uint64_t>(kIq3Xxs.at[index[1]]) << 32;
      }
      writeSigned(points, evenSignsOf(word), codes + 32 * s);
    }
  }
};

struct format_iq3_s : FormatTraits<pocket_iq3_s, 256, 32, 0, true, false> {
  POCKET_INLINE void unpack(const Block& b, uint8_t* codes, float* steps, float*) {
    const float scale = floatOfHalf(b.scale);
    for (int s = 0; s < 8; s++) {
      steps[s] = scale * static_cast<float>(1 + 2 * (b.sub_scales[s >> 1] >> 4 * (s & 1) & 15));
      uint64_t points[4];
      uint32_t signs;
      memcpy(&signs, b.signs + 4 * s, sizeof signs);
      for (int g = 0; g < 4; g++) {
        const uint8_t* index = b.q + 8 * s + 2 * g;
        const int high = b.q_high[s] >> 2 * g;
        const uint64_t first = kIq3S.at[index[0] | (high & 1) << 8];
        const uint64_t second = kIq3S.at[index[1] | (high & 2) << 7];
        points[g] = first | second << 32;
      }
      writeSigned(points, signs, codes + 32 * s);
    }
  }
};

struct format_iq1_s : FormatTraits<pocket_iq1_s, 256, 32, 0, true, false> {
  POCKET_INLINE void unpack(const Block& b, uint8_t* codes, float* steps, float*) {
    const float scale = floatOfHalf(b.scale);
    for (int s = 0; s < 8; s++) {
      const uint32_t high = b.q_high[s];
      steps[s] = scale * static_cast<float>(2 * (high >> 12 & 7) + 1) * 0.125f;
      uint64_t points[4];
      for (int g = 0; g < 4; g++) points[g] = kIq1S.at[b.q[4 * s + g] | (high >> 3 * g & 7) << 8];
      writeShifted(points, high & 0x8000 ? 15 : 0, codes + 32 * s);
    }
  }
};

struct format_iq1_m : FormatTraits<pocket_iq1_m, 256, 16, 0, true, false> {
  POCKET_INLINE void unpack(const Block& b, uint8_t* codes, float* steps, float*) {
    uint32_t half = 0;
    for (int word = 0; word < 4; word++) half |= static_cast<uint32_t>(b.sub_scales[word] >> 12) << 4 * word;
    const float scale = floatOfHalf(static_cast<uint16_t>(half));
    for (int s = 0; s < 8; s++) {
      // A nibble for each group: three bits of its index, then which way it is shifted.
      uint16_t high;
      memcpy(&high, b.q_high + 2 * s, sizeof high);
      uint64_t points[4];
      uint32_t down = 0;
      for (int g = 0; g < 4; g++) {
        points[g] = kIq1S.at[b.q[4 * s + g] | (high >> 4 * g & 7) << 8];
        down |= static_cast<uint32_t>(high >> (4 * g + 3) & 1) << g;
      }
      writeShifted(points, down, codes + 32 * s);
    }
    for (int s = 0; s < 16; s++) {
      const int subScale = b.sub_scales[s >> 2] >> 3 * (s & 3) & 7;
      steps[s] = scale * static_cast<float>(2 * subScale + 1) * 0.125f;
    }
  }
};

}  // namespace
