// Small steps that the AVX-512 kernels of matmul share: registers hold words of the 16 rows of a panel.
#pragma once

#include <immintrin.h>

#include "../../../formats/panels.h"
#include "../unrolled.h"

namespace {

typedef __m512i Words;
typedef __m512 Floats;
/** The same with operators for words, and for bytes. */
typedef int32_t Integers __attribute__((vector_size(sizeof(Words))));
typedef uint8_t Bytes __attribute__((vector_size(sizeof(Words))));

POCKET_INLINE Floats numbersOf(Integers words) { return _mm512_cvtepi32_ps((Words)words); }
POCKET_INLINE Words everyWord(uint32_t word) { return _mm512_set1_epi32(static_cast<int>(word)); }

POCKET_INLINE Words loadWords(const void* p) { return _mm512_loadu_si512(p); }

/** Moves bits up by `by` bits, or down where it is negative; across bytes, which the caller masks. */
template <int by>
POCKET_INLINE Words moved(Words v) {
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
POCKET_INLINE Words field(Words v) {
  return _mm512_and_si512(moved<-shift>(v), _mm512_set1_epi8(static_cast<char>(mask)));
}

/** low | (v moved by `by` bits & mask) in each byte. */
template <int by, int mask>
POCKET_INLINE Words withBits(Words low, Words v) {
  return _mm512_ternarylogic_epi32(moved<by>(v), _mm512_set1_epi8(static_cast<char>(mask)), low, 0xea);
}

/** Bits `from` to `from + count - 1` of each word. */
template <int from, int count>
POCKET_INLINE Words bitsOf(Words words) {
  const Words down = from == 0 ? words : _mm512_srli_epi32(words, from);
  return from + count == 32 ? down : _mm512_and_si512(down, _mm512_set1_epi32((1 << count) - 1));
}

/** Byte `at` of each word as a number. */
template <int at>
POCKET_INLINE Floats unsignedByte(Words words) {
  return _mm512_cvtepi32_ps(bitsOf<8 * at, 8>(words));
}

template <int at>
POCKET_INLINE Floats signedByte(Words words) {
  const Words up = at == 3 ? words : _mm512_slli_epi32(words, 24 - 8 * at);
  return _mm512_cvtepi32_ps(_mm512_srai_epi32(up, 24));
}

/** A half of each row. */
POCKET_INLINE Floats halves(const void* p) {
  return _mm512_cvtph_ps(_mm256_loadu_si256(static_cast<const __m256i*>(p)));
}

POCKET_INLINE Floats lowHalves(Words words) { return _mm512_cvtph_ps(_mm512_cvtepi32_epi16(words)); }
POCKET_INLINE Floats highHalves(Words words) { return lowHalves(_mm512_srli_epi32(words, 16)); }

/** A byte of each row, as words. */
POCKET_INLINE Words wordsOfBytes(const void* p) {
  return _mm512_cvtepu8_epi32(_mm_loadu_si128(static_cast<const __m128i*>(p)));
}

POCKET_INLINE Floats negated(Floats x) {
  return _mm512_castsi512_ps(_mm512_xor_si512(_mm512_castps_si512(x), _mm512_set1_epi32(INT32_MIN)));
}

/** A table of sixteen bytes in every lane. */
POCKET_INLINE Words tableOf(const int8_t* values) {
  return _mm512_broadcast_i32x4(_mm_loadu_si128(reinterpret_cast<const __m128i*>(values)));
}

/** Entries of such a table, by places below 16. */
POCKET_INLINE Words lookUp(Words table, Words places) { return _mm512_shuffle_epi8(table, places); }

/** Byte `at` of each word in all its bytes. */
template <int at>
POCKET_INLINE Words spreadByte(Words words) {
  const Words first = _mm512_broadcast_i32x4(_mm_setr_epi32(0, 0x04040404, 0x08080808, 0x0c0c0c0c));
  return _mm512_shuffle_epi8(words, _mm512_add_epi8(first, _mm512_set1_epi8(at)));
}

/** A bit for byte i of each word: whether bit 4 * t + i of the word is set. */
template <int t>
POCKET_INLINE __mmask64 fourBits(Words words) {
  const Words place = _mm512_set1_epi32((t & 1) == 0 ? 0x08040201 : static_cast<int>(0x80402010u));
  return _mm512_test_epi8_mask(spreadByte<(t >> 1)>(words), place);
}

/** Adds `value` to byte i of each word where bit 4 * t + i of the same word of `bits` is set. */
template <int t, int value>
POCKET_INLINE Words addWhereSet(Words words, Words bits) {
  return _mm512_mask_add_epi8(words, fourBits<t>(bits), words, _mm512_set1_epi8(value));
}

/** Codes with a sign as operands of products: their zero is at 128. */
POCKET_INLINE Words signedOperand(Words codes) {
  return _mm512_xor_si512(codes, _mm512_set1_epi8(static_cast<char>(0x80)));
}

/** The first digit behind the point of each byte, a fraction of 256 to the base three. */
POCKET_INLINE Words firstTernaryDigit(Words fractions) {
  const Words one = _mm512_set1_epi8(1);
  const __mmask64 isOne = _mm512_cmpgt_epu8_mask(fractions, _mm512_set1_epi8(85));
  const __mmask64 isTwo = _mm512_cmpgt_epu8_mask(fractions, _mm512_set1_epi8(static_cast<char>(170)));
  const Words ones = _mm512_maskz_mov_epi8(isOne, one);
  return _mm512_mask_add_epi8(ones, isTwo, ones, one);
}

}  // namespace
