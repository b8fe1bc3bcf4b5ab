// Integer products of a group of 16 or 32 weights with activations, AVX-VNNI: what avx2/group_dots.h computes, by
// vpdpbusd. Signed codes get 128 added, which the sums of the activations' codes take off again.
#pragma once

#include "../avx2/group_kind.h"
#include "../avx2/registers.h"
#include "../rounded_row.h"
#include "dot.h"

namespace {

/** Codes with a sign as operands of products: their zero is at 128. */
POCKET_INLINE Words signedOperand(Words codes) {
  return _mm256_xor_si256(codes, _mm256_set1_epi8(static_cast<char>(0x80)));
}

/** `codes(t, h)` are weights 4t to 4t + 3 of half h; the group begins with weight `at` of the rows. */
template <class Kind, bool fine, int rows, int halves, class Codes>
POCKET_INLINE void groupDots(Codes&& codes, const uint8_t* const* x, const RoundedRowPlaces& places, int64_t at,
                             __m256i (&dots)[rows][halves]) {
  constexpr int kZero = Kind::kSigned ? 128 : Kind::kZero;
  __m256i highDots[rows][halves];
#pragma GCC unroll 8
  for (int r = 0; r < rows; r++) {
    __m256i start = _mm256_setzero_si256();
    if constexpr (kZero != 0) {
      const int64_t list = Kind::kGroup == 32 ? places.negatedOf32 : places.negatedOf16;
      start = _mm256_slli_epi32(fourOf(x[r] + list + at / Kind::kGroup * 4), __builtin_ctz(kZero));
    }
#pragma GCC unroll 2
    for (int h = 0; h < halves; h++) {
      dots[r][h] = start;
      highDots[r][h] = _mm256_setzero_si256();
    }
  }
  unrolled<Kind::kLines>([&](auto t) __attribute__((always_inline)) {
    __m256i weights[halves];
#pragma GCC unroll 2
    for (int h = 0; h < halves; h++) weights[h] = codes(t, h);
#pragma GCC unroll 8
    for (int r = 0; r < rows; r++) {
      const __m256i four = fourOf(x[r] + at + 4 * t.kValue);
      const __m256i lowFour = fine ? fourOf(x[r] + places.low + at + 4 * t.kValue) : four;
#pragma GCC unroll 2
      for (int h = 0; h < halves; h++) {
        dots[r][h] = addFourProducts(dots[r][h], weights[h], lowFour);
        if constexpr (fine) {
          highDots[r][h] = addFourProducts(highDots[r][h], weights[h], four);
          keepInRegister<fine>(highDots[r][h]);
        }
      }
    }
  });
  if constexpr (fine) {
#pragma GCC unroll 8
    for (int r = 0; r < rows; r++) {
      for (int h = 0; h < halves; h++) {
        dots[r][h] = _mm256_add_epi32(dots[r][h], _mm256_slli_epi32(highDots[r][h], 7));
      }
    }
  }
}

}  // namespace
