// Halves and bfloat16s to floats and back. Exact; to half rounds to nearest even.
#pragma once

#include "../vector/f32x8.h"

POCKET_INLINE float floatOfBits(uint32_t bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

POCKET_INLINE uint32_t bitsOfFloat(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

POCKET_INLINE float floatOfHalf(uint16_t half) {
#ifdef __F16C__
  return _cvtsh_ss(half);
#elif defined(__aarch64__)
  __fp16 x;
  memcpy(&x, &half, sizeof x);
  return static_cast<float>(x);
#else
  const uint32_t sign = static_cast<uint32_t>(half & 0x8000) << 16;
  const uint32_t rest = half & 0x7fff;
  if (rest >= 0x7c00) return floatOfBits(sign | 0x7f800000 | (rest & 0x3ff) << 13);
  // Exponent and mantissa shifted into place read as a value 2^112 times too small; subnormals come out right.
  const float scaled = floatOfBits(rest << 13) * 5.192296858534828e33f;
  return floatOfBits(sign | bitsOfFloat(scaled));
#endif
}

POCKET_INLINE uint16_t halfOfFloat(float x) {
#ifdef __F16C__
  return static_cast<uint16_t>(_cvtss_sh(x, 0));
#elif defined(__aarch64__)
  const __fp16 rounded = static_cast<__fp16>(x);
  uint16_t half;
  memcpy(&half, &rounded, sizeof half);
  return half;
#else
  const uint32_t bits = bitsOfFloat(x);
  const uint16_t sign = static_cast<uint16_t>(bits >> 16 & 0x8000);
  const uint32_t size = bits & 0x7fffffff;
  if (size > 0x7f800000) return sign | 0x7e00;
  if (size >= 0x477ff000) return sign | 0x7c00;  // halfway between the largest half and the step above
  if (size < 0x38800000) {  // below 2^-14: the sum with 0.5 leaves units of 2^-24 in the mantissa
    return static_cast<uint16_t>(sign | (bitsOfFloat(floatOfBits(size) + 0.5f) - 0x3f000000));
  }
  const uint32_t rounded = size + 0xfff + (size >> 13 & 1);
  return static_cast<uint16_t>(sign | ((rounded >> 13) - (112 << 10)));
#endif
}

POCKET_INLINE float floatOfBf16(uint16_t word) { return floatOfBits(static_cast<uint32_t>(word) << 16); }

/** Eight halves from any address. */
POCKET_INLINE f32x8 loadHalves(const uint16_t* p) {
#ifdef __F16C__
  return (f32x8)_mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
#else
  f32x8 v;
  for (int i = 0; i < 8; i++) v[i] = floatOfHalf(p[i]);
  return v;
#endif
}

POCKET_INLINE void storeHalves(uint16_t* p, f32x8 v) {
#ifdef __F16C__
  _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm256_cvtps_ph((__m256)v, 0));
#else
  for (int i = 0; i < 8; i++) p[i] = halfOfFloat(v[i]);
#endif
}

POCKET_INLINE f32x8 loadBf16s(const uint16_t* p) {
#ifdef __AVX2__
  const __m256i wide = _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
  return (f32x8)_mm256_slli_epi32(wide, 16);
#else
  f32x8 v;
  for (int i = 0; i < 8; i++) v[i] = floatOfBf16(p[i]);
  return v;
#endif
}
