// Integer products of a group of 16 or 32 weights with activations, AVX2: exact.
//
//   dots[r][h] = sum over i in the group of (code[o, i] - zero) * xCode[r, i]     for the eight weight rows o of half h
//
// Products of bytes add in pairs to 16 bits, and as many lines of these in 16 bits as the largest code allows: eight of
// codes up to 15. Signed codes go in as magnitudes, their signs with x.
#pragma once

#include "../rounded_row.h"
#include "group_kind.h"
#include "registers.h"

namespace {

/** Codes with a sign as operands of products: as they are. */
POCKET_INLINE Words signedOperand(Words codes) { return codes; }

template <bool isSigned>
POCKET_INLINE __m256i pairsOf(__m256i codes, __m256i sizes, __m256i four) {
  return isSigned ? _mm256_maddubs_epi16(sizes, _mm256_sign_epi8(four, codes)) : _mm256_maddubs_epi16(codes, four);
}

/** `codes(t, h)` are weights 4t to 4t + 3 of half h; the group begins with weight `at` of the rows. */
template <class Kind, bool fine, int rows, int halves, class Codes>
POCKET_INLINE void groupDots(Codes&& codes, const uint8_t* const* x, const RoundedRowPlaces& places, int64_t at,
                             __m256i (&dots)[rows][halves]) {
  const __m256i ones = _mm256_set1_epi16(1);
  const __m256i high = _mm256_set1_epi16(fine ? 128 : 1);
  unrolled<Kind::kLines / Kind::kRun>([&](auto run) __attribute__((always_inline)) {
    __m256i pairs[rows][halves];
    __m256i lowPairs[rows][halves];
    unrolled<Kind::kRun>([&](auto step) __attribute__((always_inline)) {
      const Constant<run.kValue * Kind::kRun + step.kValue> t;
      __m256i weights[halves];
      __m256i sizes[halves];
#pragma GCC unroll 2
      for (int h = 0; h < halves; h++) {
        weights[h] = codes(t, h);
        sizes[h] = Kind::kSigned ? _mm256_abs_epi8(weights[h]) : weights[h];
      }
#pragma GCC unroll 8
      for (int r = 0; r < rows; r++) {
        const __m256i four = fourOf(x[r] + at + 4 * t.kValue);
#pragma GCC unroll 2
        for (int h = 0; h < halves; h++) {
          const __m256i product = pairsOf<Kind::kSigned>(weights[h], sizes[h], four);
          pairs[r][h] = step.kValue == 0 ? product : _mm256_add_epi16(pairs[r][h], product);
          keepInRegister<fine>(pairs[r][h]);
        }
        if constexpr (fine) {
          const __m256i lowFour = fourOf(x[r] + places.low + at + 4 * t.kValue);
#pragma GCC unroll 2
          for (int h = 0; h < halves; h++) {
            const __m256i product = pairsOf<Kind::kSigned>(weights[h], sizes[h], lowFour);
            lowPairs[r][h] = step.kValue == 0 ? product : _mm256_add_epi16(lowPairs[r][h], product);
            keepInRegister<fine>(lowPairs[r][h]);
          }
        }
      }
    });
#pragma GCC unroll 8
    for (int r = 0; r < rows; r++) {
#pragma GCC unroll 2
      for (int h = 0; h < halves; h++) {
        __m256i sum = _mm256_madd_epi16(pairs[r][h], high);
        if constexpr (fine) sum = _mm256_add_epi32(sum, _mm256_madd_epi16(lowPairs[r][h], ones));
        dots[r][h] = run.kValue == 0 ? sum : _mm256_add_epi32(dots[r][h], sum);
        keepInRegister<fine>(dots[r][h]);
      }
    }
  });
  if constexpr (Kind::kZero != 0) {
    const int64_t list = Kind::kGroup == 32 ? places.negatedOf32 : places.negatedOf16;
    for (int r = 0; r < rows; r++) {
      const __m256i codes = fourOf(x[r] + list + at / Kind::kGroup * 4);
      const __m256i start = _mm256_slli_epi32(codes, __builtin_ctz(Kind::kZero));
      for (int h = 0; h < halves; h++) dots[r][h] = _mm256_add_epi32(dots[r][h], start);
    }
  }
}

}  // namespace
