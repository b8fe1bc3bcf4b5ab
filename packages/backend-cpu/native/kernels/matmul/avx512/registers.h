// Small steps that the AVX-512 kernels of matmul share.
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

POCKET_INLINE __m512i loadLine(const void* p) { return _mm512_loadu_si512(p); }

/** Moves bits up by `by` bits, or down where it is negative; across bytes, which the caller masks. */
template <int by>
POCKET_INLINE __m512i moved(__m512i v) {
  if constexpr (by > 0) {
    return _mm512_slli_epi16(v, by);
  } else if constexpr (by < 0) {
    return _mm512_srli_epi16(v, -by);
  } else {
    return v;
  }
}

/** (v >> shift) & mask in each byte. */
template <int shift, int mask>
POCKET_INLINE __m512i field(__m512i v) {
  return _mm512_and_si512(moved<-shift>(v), _mm512_set1_epi8(static_cast<char>(mask)));
}

/** low | (v moved by `by` bits & mask) in each byte. */
template <int by, int mask>
POCKET_INLINE __m512i withBits(__m512i low, __m512i v) {
  return _mm512_ternarylogic_epi32(moved<by>(v), _mm512_set1_epi8(static_cast<char>(mask)), low, 0xea);
}

/** Byte `at` of each word as a number. */
template <int at>
POCKET_INLINE __m512 unsignedByte(__m512i words) {
  const __m512i down = at == 0 ? words : _mm512_srli_epi32(words, 8 * at);
  return _mm512_cvtepi32_ps(at == 3 ? down : _mm512_and_si512(down, _mm512_set1_epi32(255)));
}

template <int at>
POCKET_INLINE __m512 signedByte(__m512i words) {
  const __m512i up = at == 3 ? words : _mm512_slli_epi32(words, 24 - 8 * at);
  return _mm512_cvtepi32_ps(_mm512_srai_epi32(up, 24));
}

/** Sixteen halves. */
POCKET_INLINE __m512 halves(const void* p) {
  return _mm512_cvtph_ps(_mm256_loadu_si256(static_cast<const __m256i*>(p)));
}

POCKET_INLINE __m512 lowHalves(__m512i words) { return _mm512_cvtph_ps(_mm512_cvtepi32_epi16(words)); }
POCKET_INLINE __m512 highHalves(__m512i words) { return lowHalves(_mm512_srli_epi32(words, 16)); }

POCKET_INLINE __m512 negated(__m512 x) {
  return _mm512_castsi512_ps(_mm512_xor_si512(_mm512_castps_si512(x), _mm512_set1_epi32(INT32_MIN)));
}

/** A table of sixteen bytes in every lane. */
POCKET_INLINE __m512i tableOf(const int8_t* values) {
  return _mm512_broadcast_i32x4(_mm_loadu_si128(reinterpret_cast<const __m128i*>(values)));
}

}  // namespace
