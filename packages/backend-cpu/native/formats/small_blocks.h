// Formats with blocks of 32, 64 or 128 weights, and the two ternary ones.
#pragma once

#include "unpacked.h"

namespace {

struct format_q8_0 : FormatTraits<pocket_q8_0, 32, 32, 0, true, false> {
  POCKET_INLINE void unpackSteps(const Block& b, float* steps, float*) {
    steps[0] = floatOfHalf(b.scale);
  }
  POCKET_INLINE void unpack(const Block& b, uint8_t* codes, float* steps, float* lows) {
    memcpy(codes, b.q, 32);
    unpackSteps(b, steps, lows);
  }
};

struct format_q4_0 : FormatTraits<pocket_q4_0, 32, 32, 8, false, false> {
  POCKET_INLINE void unpackSteps(const Block& b, float* steps, float*) {
    steps[0] = floatOfHalf(b.scale);
  }
  POCKET_INLINE void unpack(const Block& b, uint8_t* codes, float* steps, float* lows) {
    unpackNibbles(b.q, codes);
    unpackSteps(b, steps, lows);
  }
};

struct format_q4_1 : FormatTraits<pocket_q4_1, 32, 32, 0, false, true> {
  POCKET_INLINE void unpackSteps(const Block& b, float* steps, float* lows) {
    steps[0] = floatOfHalf(b.scale);
    lows[0] = floatOfHalf(b.min);
  }
  POCKET_INLINE void unpack(const Block& b, uint8_t* codes, float* steps, float* lows) {
    unpackNibbles(b.q, codes);
    unpackSteps(b, steps, lows);
  }
};

struct format_q5_0 : FormatTraits<pocket_q5_0, 32, 32, 16, false, false> {
  POCKET_INLINE void unpack(const Block& b, uint8_t* codes, float* steps, float*) {
    unpackNibbles(b.q, codes);
    addBits(b.q_high, 16, codes);
    steps[0] = floatOfHalf(b.scale);
  }
};

struct format_q5_1 : FormatTraits<pocket_q5_1, 32, 32, 0, false, true> {
  POCKET_INLINE void unpack(const Block& b, uint8_t* codes, float* steps, float* lows) {
    unpackNibbles(b.q, codes);
    addBits(b.q_high, 16, codes);
    steps[0] = floatOfHalf(b.scale);
    lows[0] = floatOfHalf(b.min);
  }
};

struct format_iq4_nl : FormatTraits<pocket_iq4_nl, 32, 32, 0, true, false> {
  POCKET_INLINE void unpack(const Block& b, uint8_t* codes, float* steps, float*) {
    lookUpNibbles(b.q, pocket_iq4_values, codes);
    steps[0] = floatOfHalf(b.scale);
  }
};

struct format_mxfp4 : FormatTraits<pocket_mxfp4, 32, 32, 0, true, false> {
  POCKET_INLINE void unpack(const Block& b, uint8_t* codes, float* steps, float*) {
    lookUpNibbles(b.q, pocket_fp4_values, codes);
    // 2^(exponent - 128); the two smallest are subnormal.
    const uint32_t e = b.exponent;
    steps[0] = floatOfBits(e < 2 ? 0x00200000u << e : (e - 1) << 23);
  }
};

struct format_nvfp4 : FormatTraits<pocket_nvfp4, 64, 16, 0, true, false> {
  POCKET_INLINE void unpack(const Block& b, uint8_t* codes, float* steps, float*) {
    // Sub-blocks of 8 bytes: the pairs come apart as 8 low, 8 low, 8 high, 8 high; the middle two change places.
    for (int pair = 0; pair < 2; pair++) {
      uint8_t* to = codes + 32 * pair;
      lookUpNibbles(b.q + 16 * pair, pocket_fp4_values, to);
      uint64_t middle[2];
      memcpy(middle, to + 8, 16);
      memcpy(to + 8, middle + 1, 8);
      memcpy(to + 16, middle, 8);
    }
    for (int s = 0; s < 4; s++) {
      const uint32_t e = b.sub_scales[s] >> 3 & 15;
      const uint32_t m = b.sub_scales[s] & 7;
      // m * 2^-10, or (1 + m / 8) * 2^(e - 8) put together from its bits.
      const float value = e == 0 ? static_cast<float>(m) * 0x1p-10f : floatOfBits((e + 119) << 23 | m << 20);
      steps[s] = b.sub_scales[s] == 127 ? 0.0f : value;
    }
  }
};

struct format_q2_0 : FormatTraits<pocket_q2_0, 64, 32, 1, false, false> {
  POCKET_INLINE void unpack(const Block& b, uint8_t* codes, float* steps, float*) {
    for (int j = 0; j < 16; j++) {
      // Four codes of a byte spread over the bytes of a word.
      const uint32_t q = b.q[j];
      const uint32_t word = (q | q << 6 | q << 12 | q << 18) & 0x03030303;
      memcpy(codes + 4 * j, &word, sizeof word);
    }
    steps[0] = steps[1] = floatOfHalf(b.scale);
  }
};

/** Codes 0 and 2 around the zero of 1. */
struct format_q1_0 : FormatTraits<pocket_q1_0, 128, 32, 1, false, false> {
  POCKET_INLINE void unpack(const Block& b, uint8_t* codes, float* steps, float*) {
    memset(codes, 0, 128);
    for (int g = 0; g < 4; g++) {
      uint32_t bits;
      memcpy(&bits, b.q + 4 * g, sizeof bits);
      addBits(bits, 2, codes + 32 * g);
      steps[g] = floatOfHalf(b.scale);
    }
  }
};

struct format_tq2_0 : FormatTraits<pocket_tq2_0, 256, 32, 1, false, false> {
  POCKET_INLINE void unpack(const Block& b, uint8_t* codes, float* steps, float*) {
    for (int g = 0; g < 8; g++) {
      unpackField(b.q + 32 * (g >> 2), 2 * (g & 3), 3, codes + 32 * g);
      steps[g] = floatOfHalf(b.scale);
    }
  }
};

/** Digit n of a byte is (((byte * 3^n) mod 256) * 3) >> 8. Runs of bytes: all their digits 0, then all 1, ... */
struct format_tq1_0 : FormatTraits<pocket_tq1_0, 256, 32, 1, false, false> {
  template <int bytes>
  POCKET_INLINE void digits(const uint8_t* q, int count, uint8_t* codes) {
    uint16_t power = 1;
    for (int n = 0; n < count; n++, power = static_cast<uint16_t>(power * 3)) {
      for (int m = 0; m < bytes; m++) {
        // In 16 bits throughout, which vectors of them can do.
        const uint16_t fraction = static_cast<uint16_t>(q[m] * power) & 255;
        codes[bytes * n + m] = static_cast<uint8_t>(static_cast<uint16_t>(fraction * 3) >> 8);
      }
    }
  }
  POCKET_INLINE void unpack(const Block& b, uint8_t* codes, float* steps, float*) {
    digits<32>(b.q, 5, codes);
    digits<16>(b.q + 32, 5, codes + 160);
    digits<4>(b.q_last, 4, codes + 240);
    for (int g = 0; g < 8; g++) steps[g] = floatOfHalf(b.scale);
  }
};

}  // namespace
