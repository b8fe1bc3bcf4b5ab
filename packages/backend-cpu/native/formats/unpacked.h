// How a block of any weight format comes apart, so that one kernel serves all of them:
//
//     w[i] = steps[i / kGroup] * (codes[i] - kZero) + lows[i / kGroup]
//
// codes are bytes: signed where kSigned, else 0 to 63. kGroup is 16 or 32; kZero is 0 unless said; lows exist
// where kAffine. A format is a struct `format_NAME` with these constants, the block of the ABI as `Block`, its
// weights as kWeights, and
//
//     static void unpack(const Block& block, uint8_t* codes, float* steps, float* lows)
//
// which writes kWeights codes and kWeights / kGroup steps and lows. The layouts stand in the ABI's header, the
// formulas beside the formats in packages/abi/src/formats. Rounded as written there: products first.
#pragma once

#include "half.h"
#include "pocketllm_abi.h"

template <class B, int weights, int group, int zero, bool isSigned, bool isAffine>
struct FormatTraits {
  typedef B Block;
  static constexpr bool kPlain = false;
  static constexpr int kWeights = weights;
  static constexpr int kGroup = group;
  static constexpr int kZero = zero;
  static constexpr bool kSigned = isSigned;
  static constexpr bool kAffine = isAffine;
};

// Steps that several formats share, with AVX2 where it is there: the compiler's own code is two to five times slower.

/** Sixteen bytes with a code in each half: the low ones are codes 0 to 15, the high ones 16 to 31. */
POCKET_INLINE void unpackNibbles(const uint8_t* q, uint8_t* codes) {
#ifdef __AVX2__
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(q));
  const __m256i both = _mm256_set_m128i(_mm_srli_epi16(bytes, 4), bytes);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(codes), _mm256_and_si256(both, _mm256_set1_epi8(15)));
#else
  for (int j = 0; j < 16; j++) {
    codes[j] = q[j] & 15;
    codes[j + 16] = q[j] >> 4;
  }
#endif
}

/** The same with a table of sixteen values. */
POCKET_INLINE void lookUpNibbles(const uint8_t* q, const int8_t* values, uint8_t* codes) {
  unpackNibbles(q, codes);
#ifdef __AVX2__
  const __m256i table = _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(values)));
  __m256i* to = reinterpret_cast<__m256i*>(codes);
  _mm256_storeu_si256(to, _mm256_shuffle_epi8(table, _mm256_loadu_si256(to)));
#else
  for (int j = 0; j < 32; j++) codes[j] = static_cast<uint8_t>(values[codes[j]]);
#endif
}

#ifdef __AVX2__
/** 32 bytes, all ones where the bit is set. */
POCKET_INLINE __m256i bitsToBytes(uint32_t bits) {
  const __m256i source = _mm256_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1,  //
                                          2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3);
  const __m256i place = _mm256_set1_epi64x(static_cast<int64_t>(0x8040201008040201u));
  const __m256i spread = _mm256_shuffle_epi8(_mm256_set1_epi32(static_cast<int>(bits)), source);
  return _mm256_cmpeq_epi8(_mm256_and_si256(spread, place), place);
}
#endif

/** codes[j] |= bits (j of 32) ? value : 0. */
POCKET_INLINE void addBits(uint32_t bits, uint8_t value, uint8_t* codes) {
#ifdef __AVX2__
  __m256i* to = reinterpret_cast<__m256i*>(codes);
  const __m256i added = _mm256_and_si256(bitsToBytes(bits), _mm256_set1_epi8(static_cast<char>(value)));
  _mm256_storeu_si256(to, _mm256_or_si256(_mm256_loadu_si256(to), added));
#else
  for (int j = 0; j < 32; j++) codes[j] = static_cast<uint8_t>(codes[j] | (bits >> j & 1 ? value : 0));
#endif
}

/** codes[j] = q[j] >> shift & mask, for 32 bytes. */
POCKET_INLINE void unpackField(const uint8_t* q, int shift, uint8_t mask, uint8_t* codes) {
#ifdef __AVX2__
  const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(q));
  const __m256i shifted = _mm256_srl_epi16(bytes, _mm_cvtsi32_si128(shift));
  const __m256i field = _mm256_and_si256(shifted, _mm256_set1_epi8(static_cast<char>(mask)));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(codes), field);
#else
  for (int j = 0; j < 32; j++) codes[j] = q[j] >> shift & mask;
#endif
}

/** codes[j] |= bit `bit` of q[j], put at bit `to`, for 32 bytes. */
POCKET_INLINE void addBitOfEach(const uint8_t* q, int bit, int to, uint8_t* codes) {
#ifdef __AVX2__
  const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(q));
  const __m256i low = _mm256_and_si256(_mm256_srl_epi16(bytes, _mm_cvtsi32_si128(bit)), _mm256_set1_epi8(1));
  __m256i* at = reinterpret_cast<__m256i*>(codes);
  const __m256i placed = _mm256_sll_epi16(low, _mm_cvtsi32_si128(to));
  _mm256_storeu_si256(at, _mm256_or_si256(_mm256_loadu_si256(at), placed));
#else
  for (int j = 0; j < 32; j++) codes[j] = static_cast<uint8_t>(codes[j] | (q[j] >> bit & 1) << to);
#endif
}
