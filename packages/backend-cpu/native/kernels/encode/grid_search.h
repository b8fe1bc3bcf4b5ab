// The point of a grid near eight targets, or near four and four. With AVX2 eight points are compared at once, with
// AVX-512 sixteen: what each level costs at a place is a small table in a register, and the code of a point picks from it.
#pragma once

#include "grid.h"

namespace {

#ifdef __AVX2__
/** By bits, one for each place: the number that has a 1 at those places, in base three. */
struct BaseThree {
  uint16_t at[256];
};
constexpr BaseThree baseThree() {
  BaseThree all{};
  for (int bits = 0; bits < 256; bits++) {
    for (int k = 0; k < 8; k++) all.at[bits] = static_cast<uint16_t>(all.at[bits] + (bits >> k & 1) * powerOf(3, k));
  }
  return all;
}
#endif

/** The levels of eight targets, as the numbers of their patterns: one, or one for each half. */
template <class Book>
POCKET_INLINE void patternsOf(f32x8 targets, int* patterns) {
  const auto isAbove = [&](int l) { return targets > splat((Book::level(l - 1) + Book::level(l)) / 2); };
#ifdef __AVX2__
  if constexpr (Book::kLevels == 3) {
    static constexpr BaseThree kDigits = baseThree();
    patterns[0] = kDigits.at[_mm256_movemask_ps((__m256)isAbove(1))] + kDigits.at[_mm256_movemask_ps((__m256)isAbove(2))];
    return;
  }
#endif
  // Comparisons give -1.
  i32x8 levels = splat(int32_t{0});
  for (int l = 1; l < Book::kLevels; l++) levels -= isAbove(l);
  for (int g = 0; g < kLanes / Book::kWidth; g++) {
    int pattern = 0;
    for (int k = Book::kWidth - 1; k >= 0; k--) pattern = Book::kLevels * pattern + levels[g * Book::kWidth + k];
    patterns[g] = pattern;
  }
}

/** What it costs to store each target at a level. */
template <class Book>
POCKET_INLINE void costsOf(f32x8 targets, f32x8 importance, f32x8 (&costs)[Book::kLevels]) {
  for (int l = 0; l < Book::kLevels; l++) {
    const f32x8 miss = targets - splat(Book::level(l));
    costs[l] = importance * miss * miss;
  }
}

#ifdef __AVX2__

/** Three levels: registers of four entries for place k and, in the other half, for place k + 4. */
POCKET_INLINE void turned(const f32x8 (&costs)[3], __m256 (&pairs)[4]) {
  const __m256 a = (__m256)costs[0], b = (__m256)costs[1], c = (__m256)costs[2];
  const __m256d abLow = _mm256_castps_pd(_mm256_unpacklo_ps(a, b));
  const __m256d abHigh = _mm256_castps_pd(_mm256_unpackhi_ps(a, b));
  const __m256d ccLow = _mm256_castps_pd(_mm256_unpacklo_ps(c, c));
  const __m256d ccHigh = _mm256_castps_pd(_mm256_unpackhi_ps(c, c));
  pairs[0] = _mm256_castpd_ps(_mm256_unpacklo_pd(abLow, ccLow));
  pairs[1] = _mm256_castpd_ps(_mm256_unpackhi_pd(abLow, ccLow));
  pairs[2] = _mm256_castpd_ps(_mm256_unpacklo_pd(abHigh, ccHigh));
  pairs[3] = _mm256_castpd_ps(_mm256_unpackhi_pd(abHigh, ccHigh));
}

/** Eight levels: registers of eight entries, the rows of the costs turned into columns. */
POCKET_INLINE void turned(const f32x8 (&costs)[8], __m256 (&places)[8]) {
  __m256 pairs[8];
  for (int l = 0; l < 8; l += 2) {
    pairs[l] = _mm256_unpacklo_ps((__m256)costs[l], (__m256)costs[l + 1]);
    pairs[l + 1] = _mm256_unpackhi_ps((__m256)costs[l], (__m256)costs[l + 1]);
  }
  for (int k = 0; k < 4; k++) {
    const auto four = [&](int l) {
      const __m256d low = _mm256_castps_pd(pairs[l + k / 2]);
      const __m256d high = _mm256_castps_pd(pairs[l + 2 + k / 2]);
      return _mm256_castpd_ps(k % 2 == 0 ? _mm256_unpacklo_pd(low, high) : _mm256_unpackhi_pd(low, high));
    };
    const __m256 lower = four(0);
    const __m256 upper = four(4);
    places[k] = _mm256_permute2f128_ps(lower, upper, 0x20);
    places[k + 4] = _mm256_permute2f128_ps(lower, upper, 0x31);
  }
}

/** Eight points at once. */
template <class Book, int levels = Book::kLevels>
struct CostTables {
  __m256 at[kLanes];

  explicit CostTables(const f32x8 (&costs)[Book::kLevels]) {
    if constexpr (Book::kWidth == 8) {
      __m256 pairs[4];
      turned(costs, pairs);
      for (int k = 0; k < 4; k++) {
        at[k] = _mm256_permute2f128_ps(pairs[k], pairs[k], 0x00);
        at[k + 4] = _mm256_permute2f128_ps(pairs[k], pairs[k], 0x11);
      }
    } else {
      turned(costs, at);
    }
  }

  /** The code of least cost in a list, for group g of the targets. */
  uint32_t cheapest(int g, const uint16_t* list, int chunks) const {
    __m256 least = _mm256_set1_ps(__builtin_inff());
    __m256i found = _mm256_setzero_si256();
    for (int c = 0; c < chunks; c++) {
      const __m256i codes = _mm256_cvtepu16_epi32(_mm_load_si128(reinterpret_cast<const __m128i*>(list) + c));
      __m256 cost[2];
      for (int k = 0; k < Book::kWidth; k++) {
        const __m256i place = _mm256_srli_epi32(codes, Book::kBits * k);
        const __m256 table = at[g * Book::kWidth + k];
        const __m256 part =
            Book::kBits == 2 ? _mm256_permutevar_ps(table, place) : _mm256_permutevar8x32_ps(table, place);
        cost[k & 1] = k < 2 ? part : _mm256_add_ps(cost[k & 1], part);
      }
      const __m256 total = _mm256_add_ps(cost[0], cost[1]);
      const __m256 better = _mm256_cmp_ps(total, least, _CMP_LT_OQ);
      least = _mm256_min_ps(total, least);
      found = _mm256_blendv_epi8(found, codes, _mm256_castps_si256(better));
    }
    __m256 most = _mm256_min_ps(least, _mm256_permute2f128_ps(least, least, 1));
    most = _mm256_min_ps(most, _mm256_permute_ps(most, 0x4e));
    most = _mm256_min_ps(most, _mm256_permute_ps(most, 0xb1));
    const unsigned equal = static_cast<unsigned>(_mm256_movemask_ps(_mm256_cmp_ps(most, least, _CMP_EQ_OQ)));
    alignas(32) uint32_t codes[8];
    _mm256_store_si256(reinterpret_cast<__m256i*>(codes), found);
    return codes[equal == 0 ? 0 : __builtin_ctz(equal)];
  }
};

#ifdef __AVX512F__

/** Sixteen points at once, of books with three levels, whose lists are long: a table has sixteen entries, for two places. */
template <class Book>
struct CostTables<Book, 3> {
  __m512 at[4];

  explicit CostTables(const f32x8 (&costs)[Book::kLevels]) {
    __m256 pairs[4];
    turned(costs, pairs);
    const __m512i low = _mm512_setr_epi32(0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3);
    const __m512i high = _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
    for (int t = 0; t < 4; t++) {
      const __m512i half = _mm512_set1_epi32(t < 2 ? 0 : 4);
      const __m512 first = _mm512_castps256_ps512(pairs[2 * t % 4]);
      const __m512 second = _mm512_castps256_ps512(pairs[(2 * t + 1) % 4]);
      at[t] = _mm512_add_ps(_mm512_permutexvar_ps(_mm512_add_epi32(low, half), first),
                            _mm512_permutexvar_ps(_mm512_add_epi32(high, half), second));
    }
  }

  /** The code of least cost in a list, for group g of the targets. */
  uint32_t cheapest(int, const uint16_t* list, int chunks) const {
    __m512 least = _mm512_set1_ps(__builtin_inff());
    __m512i found = _mm512_setzero_si512();
    for (int c = 0; c < chunks; c += 2) {
      const __m128i* from = reinterpret_cast<const __m128i*>(list) + c;
      const __m128i first = _mm_load_si128(from);
      const __m128i second = c + 1 < chunks ? _mm_load_si128(from + 1) : first;
      const __m512i codes = _mm512_cvtepu16_epi32(_mm256_set_m128i(second, first));
      __m512 parts[4];
      for (unsigned t = 0; t < 4; t++) parts[t] = _mm512_permutexvar_ps(_mm512_srli_epi32(codes, 4 * t), at[t]);
      const __m512 total = _mm512_add_ps(_mm512_add_ps(parts[0], parts[1]), _mm512_add_ps(parts[2], parts[3]));
      const __mmask16 better = _mm512_cmp_ps_mask(total, least, _CMP_LT_OQ);
      least = _mm512_min_ps(total, least);
      found = _mm512_mask_mov_epi32(found, better, codes);
    }
    const __mmask16 equal = _mm512_cmp_ps_mask(least, _mm512_set1_ps(_mm512_reduce_min_ps(least)), _CMP_EQ_OQ);
    const __m512i front = _mm512_maskz_compress_epi32(equal, found);
    return static_cast<uint32_t>(_mm_cvtsi128_si32(_mm512_castsi512_si128(front)));
  }
};

#endif

#else

/** One point after the other. */
template <class Book>
struct CostTables {
  const f32x8* costs;

  explicit CostTables(const f32x8 (&costs)[Book::kLevels]) : costs(costs) {}

  /** The code of least cost in a list, for group g of the targets. */
  uint32_t cheapest(int g, const uint16_t* list, int chunks) const {
    uint32_t found = list[0];
    float least = __builtin_inff();
    for (int p = 0; p < 8 * chunks; p++) {
      float cost = 0;
      for (int k = 0; k < Book::kWidth; k++) {
        cost += costs[list[p] >> Book::kBits * k & Grid<Book>::kMask][g * Book::kWidth + k];
      }
      if (cost < least) {
        least = cost;
        found = list[p];
      }
    }
    return found;
  }
};

#endif

/** Codes of the points that are nearest: one, or one for each half of the targets. */
template <class Book>
POCKET_INLINE void nearestPoints(const Grid<Book>& grid, f32x8 targets, f32x8 importance, uint32_t* codes) {
  constexpr int kPoints = kLanes / Book::kWidth;
  int patterns[kPoints];
  patternsOf<Book>(targets, patterns);
  uint32_t lists = 0;
  for (int g = 0; g < kPoints; g++) {
    codes[g] = grid.entries[patterns[g]].code;
    lists |= grid.entries[patterns[g]].chunks;
  }
  if (lists == 0) return;
  f32x8 costs[Book::kLevels];
  costsOf<Book>(targets, importance, costs);
  const CostTables<Book> tables(costs);
  for (int g = 0; g < kPoints; g++) {
    const auto entry = grid.entries[patterns[g]];
    if (entry.chunks > 0) codes[g] = tables.cheapest(g, grid.neighbours + 8 * entry.firstChunk, entry.chunks);
  }
}

/** The values of such points, eight together. */
template <class Book>
POCKET_INLINE f32x8 valuesOf(const uint32_t* codes) {
#ifdef __AVX2__
  constexpr int bits = Book::kBits;
  __m256 levels;
  __m256i places;
  if constexpr (Book::kWidth == 8) {
    levels = _mm256_setr_ps(Book::level(0), Book::level(1), Book::level(2), 0, Book::level(0), Book::level(1),
                            Book::level(2), 0);
    places = _mm256_srlv_epi32(_mm256_set1_epi32(static_cast<int>(codes[0])),
                               _mm256_setr_epi32(0, bits, 2 * bits, 3 * bits, 4 * bits, 5 * bits, 6 * bits, 7 * bits));
  } else {
    levels = _mm256_setr_ps(Book::level(0), Book::level(1), Book::level(2), Book::level(3), Book::level(4),
                            Book::level(5), Book::level(6), Book::level(7));
    places = _mm256_srlv_epi32(_mm256_set_m128i(_mm_set1_epi32(static_cast<int>(codes[1])),
                                                _mm_set1_epi32(static_cast<int>(codes[0]))),
                               _mm256_setr_epi32(0, bits, 2 * bits, 3 * bits, 0, bits, 2 * bits, 3 * bits));
  }
  // The permutation looks at the lowest three bits; with two to a level, the table stands twice.
  return (f32x8)(bits == 2 ? _mm256_permutevar_ps(levels, places) : _mm256_permutevar8x32_ps(levels, places));
#else
  f32x8 values;
  for (int k = 0; k < kLanes; k++) {
    values[k] = Book::level(codes[k / Book::kWidth] >> Book::kBits * (k % Book::kWidth) & Grid<Book>::kMask);
  }
  return values;
#endif
}

}  // namespace
