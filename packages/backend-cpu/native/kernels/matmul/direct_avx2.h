// Codes of the common formats in registers, for one row of x: nothing is written down in between, so a weight row
// costs half the instructions. The products, scales and their order are those of int8_tile_avx2.h, bit for bit.
#pragma once

#include <immintrin.h>

#include "../../formats/decode_row.h"

namespace {

/** Whether the format has groupCodes. It also has unpackSteps, the part of `unpack` that gives steps and lows. */
template <class Format>
constexpr bool kIsDirect = false;
template <>
constexpr bool kIsDirect<format_q8_0> = true;
template <>
constexpr bool kIsDirect<format_q4_0> = true;
template <>
constexpr bool kIsDirect<format_q4_1> = true;
template <>
constexpr bool kIsDirect<format_q4_k> = true;
template <>
constexpr bool kIsDirect<format_q5_k> = true;
template <>
constexpr bool kIsDirect<format_q6_k> = true;

POCKET_INLINE __m256i load32(const void* p) { return _mm256_loadu_si256(static_cast<const __m256i*>(p)); }

/** (v >> shift) & mask in each byte; the mask takes off what crosses from the byte above. */
POCKET_INLINE __m256i field(__m256i v, int shift, int mask) {
  return _mm256_and_si256(_mm256_srli_epi16(v, shift), _mm256_set1_epi8(static_cast<char>(mask)));
}

POCKET_INLINE __m256i nibbles(const uint8_t* q) {
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(q));
  const __m256i both = _mm256_inserti128_si256(_mm256_castsi128_si256(bytes), _mm_srli_epi16(bytes, 4), 1);
  return _mm256_and_si256(both, _mm256_set1_epi8(15));
}

// Codes 32 * g to 32 * g + 31 of a block.
POCKET_INLINE __m256i groupCodes(const pocket_q8_0& b, int) { return load32(b.q); }
POCKET_INLINE __m256i groupCodes(const pocket_q4_0& b, int) { return nibbles(b.q); }
POCKET_INLINE __m256i groupCodes(const pocket_q4_1& b, int) { return nibbles(b.q); }
POCKET_INLINE __m256i groupCodes(const pocket_q4_k& b, int g) { return field(load32(b.q + 32 * (g >> 1)), 4 * (g & 1), 15); }

POCKET_INLINE __m256i groupCodes(const pocket_q5_k& b, int g) {
  const __m256i low = field(load32(b.q + 32 * (g >> 1)), 4 * (g & 1), 15);
  return _mm256_or_si256(low, _mm256_slli_epi16(field(load32(b.q_high), g, 1), 4));
}

POCKET_INLINE __m256i groupCodes(const pocket_q6_k& b, int g) {
  const int half = g >> 2;
  const int quarter = g & 3;
  const __m256i low = field(load32(b.q + 64 * half + 32 * (quarter & 1)), quarter < 2 ? 0 : 4, 15);
  const __m256i high = field(load32(b.q_high + 32 * half), 2 * quarter, 3);
  return _mm256_or_si256(low, _mm256_slli_epi16(high, 4));
}

}  // namespace
