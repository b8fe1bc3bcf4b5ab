// Formats with blocks of 256 weights in sub-blocks with integer scales.
#pragma once

#include "unpacked.h"

namespace {

/** Steps and lows of a block of q4_k or q5_k: eight scales and minima of six bits in twelve bytes. */
POCKET_INLINE void unpackSixBitPairs(const uint8_t* s, float scale, float min, float* steps, float* lows) {
#ifdef __AVX2__
  uint32_t word[3];
  memcpy(word, s, sizeof word);
  const uint32_t low[2] = {word[0] & 0x3f3f3f3f, (word[2] & 0x0f0f0f0f) | (word[0] >> 2 & 0x30303030)};
  const uint32_t high[2] = {word[1] & 0x3f3f3f3f, (word[2] >> 4 & 0x0f0f0f0f) | (word[1] >> 2 & 0x30303030)};
  const auto toFloats = [](const uint32_t bytes[2]) {
    const int64_t both = static_cast<int64_t>(static_cast<uint64_t>(bytes[1]) << 32 | bytes[0]);
    return _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_cvtsi64_si128(both)));
  };
  _mm256_storeu_ps(steps, _mm256_mul_ps(_mm256_set1_ps(scale), toFloats(low)));
  _mm256_storeu_ps(lows, _mm256_mul_ps(_mm256_set1_ps(-min), toFloats(high)));
#else
  for (int j = 0; j < 4; j++) {
    steps[j] = scale * static_cast<float>(s[j] & 63);
    lows[j] = -(min * static_cast<float>(s[j + 4] & 63));
    steps[j + 4] = scale * static_cast<float>((s[j + 8] & 15) | s[j] >> 6 << 4);
    lows[j + 4] = -(min * static_cast<float>(s[j + 8] >> 4 | s[j + 4] >> 6 << 4));
  }
#endif
}

struct format_q4_k : FormatTraits<pocket_q4_k, 256, 32, 0, false, true> {
  POCKET_INLINE void unpackSteps(const Block& b, float* steps, float* lows) {
    unpackSixBitPairs(b.sub_scales, floatOfHalf(b.scale), floatOfHalf(b.min), steps, lows);
  }
  POCKET_INLINE void unpack(const Block& b, uint8_t* codes, float* steps, float* lows) {
    for (int s = 0; s < 8; s++) unpackField(b.q + 32 * (s >> 1), 4 * (s & 1), 15, codes + 32 * s);
    unpackSteps(b, steps, lows);
  }
};

struct format_q5_k : FormatTraits<pocket_q5_k, 256, 32, 0, false, true> {
  POCKET_INLINE void unpackSteps(const Block& b, float* steps, float* lows) {
    unpackSixBitPairs(b.sub_scales, floatOfHalf(b.scale), floatOfHalf(b.min), steps, lows);
  }
  POCKET_INLINE void unpack(const Block& b, uint8_t* codes, float* steps, float* lows) {
    for (int s = 0; s < 8; s++) {
      unpackField(b.q + 32 * (s >> 1), 4 * (s & 1), 15, codes + 32 * s);
      addBitOfEach(b.q_high, s, 4, codes + 32 * s);
    }
    unpackSteps(b, steps, lows);
  }
};

struct format_q6_k : FormatTraits<pocket_q6_k, 256, 16, 32, false, false> {
  POCKET_INLINE void unpackSteps(const Block& b, float* steps, float*) {
    const float scale = floatOfHalf(b.scale);
#ifdef __AVX2__
    for (int s = 0; s < 16; s += 8) {
      int64_t eight;
      memcpy(&eight, b.sub_scales + s, sizeof eight);
      const __m256 numbers = _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_cvtsi64_si128(eight)));
      _mm256_storeu_ps(steps + s, _mm256_mul_ps(_mm256_set1_ps(scale), numbers));
    }
#else
    for (int s = 0; s < 16; s++) steps[s] = scale * static_cast<float>(b.sub_scales[s]);
#endif
  }
  POCKET_INLINE void unpack(const Block& b, uint8_t* codes, float* steps, float* lows) {
    for (int half = 0; half < 2; half++) {
      const uint8_t* low = b.q + 64 * half;
      const uint8_t* high = b.q_high + 32 * half;
      uint8_t* to = codes + 128 * half;
      for (int j = 0; j < 32; j++) {
        to[j] = static_cast<uint8_t>((low[j] & 15) | (high[j] & 3) << 4);
        to[j + 32] = static_cast<uint8_t>((low[j + 32] & 15) | (high[j] >> 2 & 3) << 4);
        to[j + 64] = static_cast<uint8_t>(low[j] >> 4 | (high[j] >> 4 & 3) << 4);
        to[j + 96] = static_cast<uint8_t>(low[j + 32] >> 4 | (high[j] >> 6) << 4);
      }
    }
    unpackSteps(b, steps, lows);
  }
};

struct format_q3_k : FormatTraits<pocket_q3_k, 256, 16, 4, false, false> {
  POCKET_INLINE void unpack(const Block& b, uint8_t* codes, float* steps, float*) {
    for (int g = 0; g < 8; g++) {
      unpackField(b.q + 32 * (g >> 2), 2 * (g & 3), 3, codes + 32 * g);
      addBitOfEach(b.q_high, g, 2, codes + 32 * g);
    }
    const float scale = floatOfHalf(b.scale);
    for (int s = 0; s < 16; s++) {
      const int low = b.sub_scales[s & 7] >> (s < 8 ? 0 : 4) & 15;
      const int high = b.sub_scales[8 + (s & 3)] >> 2 * (s >> 2) & 3;
      steps[s] = scale * static_cast<float>((low | high << 4) - 32);
    }
  }
};

struct format_q2_k : FormatTraits<pocket_q2_k, 256, 16, 0, false, true> {
  POCKET_INLINE void unpack(const Block& b, uint8_t* codes, float* steps, float* lows) {
    for (int g = 0; g < 8; g++) {
      unpackField(b.q + 32 * (g >> 2), 2 * (g & 3), 3, codes + 32 * g);
    }
    const float scale = floatOfHalf(b.scale);
    const float min = floatOfHalf(b.min);
    for (int s = 0; s < 16; s++) {
      steps[s] = scale * static_cast<float>(b.sub_scales[s] & 15);
      lows[s] = -(min * static_cast<float>(b.sub_scales[s] >> 4));
    }
  }
};

struct format_iq4_xs : FormatTraits<pocket_iq4_xs, 256, 32, 0, true, false> {
  POCKET_INLINE void unpack(const Block& b, uint8_t* codes, float* steps, float*) {
    const float scale = floatOfHalf(b.scale);
    for (int s = 0; s < 8; s++) {
      lookUpNibbles(b.q + 16 * s, pocket_iq4_values, codes + 32 * s);
      const int low = b.sub_scales[s >> 1] >> 4 * (s & 1) & 15;
      const int high = b.sub_scales_high >> 2 * s & 3;
      steps[s] = scale * static_cast<float>((low | high << 4) - 32);
    }
  }
};

}  // namespace
