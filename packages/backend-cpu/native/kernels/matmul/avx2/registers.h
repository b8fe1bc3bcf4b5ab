// Small steps that the 256-bit kernels of matmul share: registers hold words of eight rows of a panel.
#pragma once

#include <immintrin.h>

#include "../../../formats/panels.h"
#include "../unrolled.h"

namespace {

typedef __m256i Words;
typedef __m256 Floats;
/** The same with operators for words, and for bytes. */
typedef int32_t Integers __attribute__((vector_size(sizeof(Words))));
typedef uint8_t Bytes __attribute__((vector_size(sizeof(Words))));

POCKET_INLINE Floats numbersOf(Integers words) { return _mm256_cvtepi32_ps((Words)words); }
POCKET_INLINE Words everyWord(uint32_t word) { return _mm256_set1_epi32(static_cast<int>(word)); }

POCKET_INLINE Words loadWords(const void* p) { return _mm256_loadu_si256(static_cast<const __m256i*>(p)); }

/** Moves bits up by `by` bits, or down where it is negative; across bytes, which the caller masks. */
template <int by>
POCKET_INLINE Words moved(Words v) {
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
POCKET_INLINE Words field(Words v) {
  return _mm256_and_si256(moved<-shift>(v), _mm256_set1_epi8(static_cast<char>(mask)));
}

/** low | (v moved by `by` bits & mask) in each byte. */
template <int by, int mask>
POCKET_INLINE Words withBits(Words low, Words v) {
  return _mm256_or_si256(low, _mm256_and_si256(moved<by>(v), _mm256_set1_epi8(static_cast<char>(mask))));
}

/** Bits `from` to `from + count - 1` of each word. */
template <int from, int count>
POCKET_INLINE Words bitsOf(Words words) {
  const Words down = from == 0 ? words : _mm256_srli_epi32(words, from);
  return from + count == 32 ? down : _mm256_and_si256(down, _mm256_set1_epi32((1 << count) - 1));
}

/** Byte `at` of each word as a number. */
template <int at>
POCKET_INLINE Floats unsignedByte(Words words) {
  return _mm256_cvtepi32_ps(bitsOf<8 * at, 8>(words));
}

template <int at>
POCKET_INLINE Floats signedByte(Words words) {
  const Words up = at == 3 ? words : _mm256_slli_epi32(words, 24 - 8 * at);
  return _mm256_cvtepi32_ps(_mm256_srai_epi32(up, 24));
}

/** A half of each row. */
POCKET_INLINE Floats halves(const void* p) {
  return _mm256_cvtph_ps(_mm_loadu_si128(static_cast<const __m128i*>(p)));
}

POCKET_INLINE Floats lowHalves(Words words) {
  const Words low = _mm256_and_si256(words, _mm256_set1_epi32(0xffff));
  const __m128i packed = _mm_packus_epi32(_mm256_castsi256_si128(low), _mm256_extracti128_si256(low, 1));
  return _mm256_cvtph_ps(packed);
}
POCKET_INLINE Floats highHalves(Words words) { return lowHalves(_mm256_srli_epi32(words, 16)); }

/** A byte of each row, as words. */
POCKET_INLINE Words wordsOfBytes(const void* p) {
  return _mm256_cvtepu8_epi32(_mm_loadl_epi64(static_cast<const __m128i*>(p)));
}

POCKET_INLINE Floats negated(Floats x) { return _mm256_xor_ps(x, _mm256_set1_ps(-0.0f)); }

/** A table of sixteen bytes in every lane. */
POCKET_INLINE Words tableOf(const int8_t* values) {
  return _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(values)));
}

/** Entries of such a table, by places below 16. */
POCKET_INLINE Words lookUp(Words table, Words places) { return _mm256_shuffle_epi8(table, places); }

/** Byte `at` of each word in all its bytes. */
template <int at>
POCKET_INLINE Words spreadByte(Words words) {
  const Words first = _mm256_setr_epi32(0, 0x04040404, 0x08080808, 0x0c0c0c0c, 0, 0x04040404, 0x08080808, 0x0c0c0c0c);
  return _mm256_shuffle_epi8(words, _mm256_add_epi8(first, _mm256_set1_epi8(at)));
}

/** Adds `value` to byte i of each word where bit 4 * t + i of the same word of `bits` is set. */
template <int t, int value>
POCKET_INLINE Words addWhereSet(Words words, Words bits) {
  const Words place = _mm256_set1_epi32((t & 1) == 0 ? 0x08040201 : static_cast<int>(0x80402010u));
  const Words isSet = _mm256_cmpeq_epi8(_mm256_and_si256(spreadByte<(t >> 1)>(bits), place), place);
  return _mm256_add_epi8(words, _mm256_and_si256(isSet, _mm256_set1_epi8(value)));
}

/** The first digit behind the point of each byte, a fraction of 256 to the base three: does it reach 86, and 171. */
POCKET_INLINE Words firstTernaryDigit(Words fractions) {
  const Words one = _mm256_cmpeq_epi8(_mm256_max_epu8(fractions, _mm256_set1_epi8(86)), fractions);
  const Words two = _mm256_cmpeq_epi8(_mm256_max_epu8(fractions, _mm256_set1_epi8(static_cast<char>(171))), fractions);
  return _mm256_abs_epi8(_mm256_add_epi8(one, two));
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
