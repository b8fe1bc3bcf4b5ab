// The arithmetic of matmul on panels, one for every path: how a group of 16 or 32 weights of 16 rows adds to the sums
// of some rows of x.
//
//   sum[r, o] += (sum over i in the group of code[o, i] * xCode[r, i]) * (step[o] * xScale[r])
//   sum[r, o] += low[o] * xSum[r]                                        where the format is affine
//
// Integer sums are exact; the rest is one chain over the groups of a row in order. So the same bits come out, however
// many rows and panels stand in registers together.
#pragma once

#include "../rounded_row.h"
#include "panel_blocks.h"

namespace {

/** What of a format the arithmetic depends on. */
template <int group, bool affine>
struct GroupKind {
  static constexpr int kGroup = group;
  static constexpr bool kAffine = affine;
};

template <class Format>
using KindOf = GroupKind<Format::kGroup, Format::kAffine>;

/** Sums of `rows` rows of x with `panels` panels, 16 weight rows each. */
template <int rows, int panels>
struct Sums {
  __m512 at[rows][panels];
  POCKET_METHOD void clear() {
    for (int r = 0; r < rows; r++) {
      for (int p = 0; p < panels; p++) at[r][p] = _mm512_setzero_ps();
    }
  }
};

/** Rows of x, by where each begins. */
template <int rows>
struct RoundedRows {
  const uint8_t* at[rows];
};

POCKET_INLINE __m512i fourCodes(const uint8_t* p) {
  int32_t four;
  memcpy(&four, p, sizeof four);
  return _mm512_set1_epi32(four);
}

POCKET_INLINE __m512 oneFloat(const uint8_t* p) {
  float x;
  memcpy(&x, p, sizeof x);
  return _mm512_set1_ps(x);
}

/**
 * dot + the products of four weights a row and four codes of x. Written out, since gcc loads the codes by an
 * instruction of its own and gathers all prefetches of a block in front of it.
 */
POCKET_INLINE void addProducts(__m512i& dot, __m512i weights, const uint8_t* four) {
  __asm__ volatile("vpdpbusd %2%{1to16%}, %1, %0"
                   : "+v"(dot)
                   : "v"(weights), "m"(*reinterpret_cast<const uint8_t(*)[4]>(four)));
}

/**
 * Adds a group: `codes(t, p)` are weights 4t to 4t + 3 of panel p, `zeroBits` as panel_blocks.h says. The group begins
 * with weight `at` of the rows.
 */
template <class Kind, bool fine, int rows, int panels, class Codes>
POCKET_INLINE void addGroup(Codes&& codes, int zeroBits, const __m512 (&step)[panels], const __m512 (&low)[panels],
                            const RoundedRows<rows>& x, const RoundedRowPlaces& places, int64_t at,
                            Sums<rows, panels>& sums) {
  constexpr int kSize = 4 * Kind::kGroup;
  const int64_t number = at / Kind::kGroup * 4;
  __m512i dots[rows][panels];
  __m512i lowDots[rows][panels];
  for (int r = 0; r < rows; r++) {
    __m512i start = _mm512_setzero_si512();
    if constexpr (!Kind::kAffine) {
      const int64_t list = Kind::kGroup == 32 ? places.negatedOf32 : places.negatedOf16;
      start = _mm512_sll_epi32(fourCodes(x.at[r] + list + number), _mm_cvtsi32_si128(zeroBits));
    }
    for (int p = 0; p < panels; p++) {
      dots[r][p] = fine ? _mm512_setzero_si512() : start;
      lowDots[r][p] = start;
    }
  }
  unrolled<kSize / 16>([&](auto t) __attribute__((always_inline)) {
    __m512i weights[panels];
    for (int p = 0; p < panels; p++) weights[p] = codes(t, p);
    for (int r = 0; r < rows; r++) {
      if constexpr (panels == 1) {
        addProducts(dots[r][0], weights[0], x.at[r] + at + 4 * t.kValue);
        if constexpr (fine) addProducts(lowDots[r][0], weights[0], x.at[r] + places.low + at + 4 * t.kValue);
        continue;
      }
      const __m512i four = fourCodes(x.at[r] + at + 4 * t.kValue);
      for (int p = 0; p < panels; p++) dots[r][p] = _mm512_dpbusd_epi32(dots[r][p], weights[p], four);
      if constexpr (fine) {
        const __m512i lowFour = fourCodes(x.at[r] + places.low + at + 4 * t.kValue);
        for (int p = 0; p < panels; p++) lowDots[r][p] = _mm512_dpbusd_epi32(lowDots[r][p], weights[p], lowFour);
      }
    }
  });
  for (int r = 0; r < rows; r++) {
    const __m512 scale = oneFloat(x.at[r] + places.scales + at / 32 * 4);
    for (int p = 0; p < panels; p++) {
      __m512i dot = dots[r][p];
      if constexpr (fine) dot = _mm512_add_epi32(_mm512_slli_epi32(dot, 7), lowDots[r][p]);
      sums.at[r][p] = _mm512_fmadd_ps(_mm512_cvtepi32_ps(dot), _mm512_mul_ps(step[p], scale), sums.at[r][p]);
    }
    if constexpr (Kind::kAffine) {
      const int64_t list = Kind::kGroup == 32 ? places.sumsOf32 : places.sumsOf16;
      const __m512 sum = oneFloat(x.at[r] + list + number);
      for (int p = 0; p < panels; p++) sums.at[r][p] = _mm512_fmadd_ps(low[p], sum, sums.at[r][p]);
    }
  }
}

}  // namespace
