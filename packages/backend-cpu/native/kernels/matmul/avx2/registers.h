// Small steps that the 256-bit kernels of matmul share: registers hold words of eight rows of a panel.
#pragma once

#include <immintrin.h>

#include <utility>

#include "../../../formats/panels.h"

#define POCKET_METHOD inline __attribute__((always_inline))

namespace {

template <int value>
struct Constant {
  static constexpr int kValue = value;
};

template <int... i, class Body>
POCKET_INLINE void callEach(std::integer_sequence<int, i...>, Body&& body) {
  (body(Constant<i>{}), ...);
}

/** body(Constant<0>) to body(Constant<count - 1>): loops whose counter the instructions need as a constant. */
template <int count, class Body>
POCKET_INLINE void unrolled(Body&& body) {
  callEach(std::make_integer_sequence<int, count>{}, body);
}

POCKET_INLINE __m256i loadWords(const void* p) { return _mm256_loadu_si256(static_cast<const __m256i*>(p)); }

/** Moves bits up by `by` bits, or down where it is negative; across bytes, which the caller masks. */
template <int by>
POCKET_INLINE __m256i moved(__m256i v) {
  if constexpr (by > 0) {
    return _mm256_slli_epi16(v, by);
  } else if constexpr (by < 0) {
    return _mm256_srli_epi16(v, -by);
  } else {
    return v;
  }
}

/** (v >> shift) & mask in each byte. */
template <int shift, int mask>
POCKET_INLINE __m256i field(__m256i v) {
  return _mm256_and_si256(moved<-shift>(v), _mm256_set1_epi8(static_cast<char>(mask)));
}

/** low | (v moved by `by` bits & mask) in each byte. */
template <int by, int mask>
POCKET_INLINE __m256i withBits(__m256i low, __m256i v) {
  return _mm256_or_si256(low, _mm256_and_si256(moved<by>(v), _mm256_set1_epi8(static_cast<char>(mask))));
}

/** Byte `at` of each word as a number. */
template <int at>
POCKET_INLINE __m256 unsignedByte(__m256i words) {
  const __m256i down = at == 0 ? words : _mm256_srli_epi32(words, 8 * at);
  return _mm256_cvtepi32_ps(at == 3 ? down : _mm256_and_si256(down, _mm256_set1_epi32(255)));
}

template <int at>
POCKET_INLINE __m256 signedByte(__m256i words) {
  const __m256i up = at == 3 ? words : _mm256_slli_epi32(words, 24 - 8 * at);
  return _mm256_cvtepi32_ps(_mm256_srai_epi32(up, 24));
}

/** Eight halves. */
POCKET_INLINE __m256 halves(const void* p) {
  return _mm256_cvtph_ps(_mm_loadu_si128(static_cast<const __m128i*>(p)));
}

POCKET_INLINE __m256 lowHalves(__m256i words) {
  const __m256i low = _mm256_and_si256(words, _mm256_set1_epi32(0xffff));
  const __m128i packed = _mm_packus_epi32(_mm256_castsi256_si128(low), _mm256_extracti128_si256(low, 1));
  return _mm256_cvtph_ps(packed);
}
POCKET_INLINE __m256 highHalves(__m256i words) { return lowHalves(_mm256_srli_epi32(words, 16)); }

POCKET_INLINE __m256 negated(__m256 x) { return _mm256_xor_ps(x, _mm256_set1_ps(-0.0f)); }

/** A table of sixteen bytes in every lane. */
POCKET_INLINE __m256i tableOf(const int8_t* values) {
  return _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(values)));
}

/** Four bytes in every word. */
POCKET_INLINE __m256i fourOf(const uint8_t* p) {
  int32_t four;
  memcpy(&four, p, sizeof four);
  return _mm256_set1_epi32(four);
}

POCKET_INLINE __m256 oneOf(const uint8_t* p) { return _mm256_broadcast_ss(reinterpret_cast<const float*>(p)); }

/**
 * Takes a register's value as given: else gcc gathers products first, and spills them. With `inOrder`, what is read ahead
 * stays where it stands among them too.
 */
template <bool inOrder>
POCKET_INLINE void keepInRegister(__m256i& v) {
  if constexpr (inOrder) {
    __asm__ volatile("" : "+x"(v));
  } else {
    __asm__("" : "+x"(v));
  }
}

/** Eight rows of eight words become eight registers of one word of each row. */
POCKET_INLINE void transposeWords(__m256i* v) {
  __m256i pairs[8];
#pragma GCC unroll 4
  for (int i = 0; i < 8; i += 2) {
    pairs[i] = _mm256_unpacklo_epi32(v[i], v[i + 1]);
    pairs[i + 1] = _mm256_unpackhi_epi32(v[i], v[i + 1]);
  }
  __m256i fours[8];
#pragma GCC unroll 2
  for (int i = 0; i < 8; i += 4) {
#pragma GCC unroll 2
    for (int j = 0; j < 2; j++) {
      fours[i + 2 * j] = _mm256_unpacklo_epi64(pairs[i + j], pairs[i + j + 2]);
      fours[i + 2 * j + 1] = _mm256_unpackhi_epi64(pairs[i + j], pairs[i + j + 2]);
    }
  }
#pragma GCC unroll 4
  for (int i = 0; i < 4; i++) {
    v[i] = _mm256_permute2x128_si256(fours[i], fours[i + 4], 0x20);
    v[i + 4] = _mm256_permute2x128_si256(fours[i], fours[i + 4], 0x31);
  }
}

}  // namespace
