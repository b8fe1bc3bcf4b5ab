// Products of queries with keys, and of weights with values, by tiles of bf16, AMX; for caches of f16.
//
// Halves are exactly sums of two numbers of bf16, x = x0 + x1; queries and weights are sums of three, y = y0 + y1 + y2, as
// exact as their floats. The smallest of the six products, x1 * y2, is left out: below 2^-24 of the whole.
//
//   x * y ~ x0 * y2 + x0 * y1 + x0 * y0 + x1 * y0 + x1 * y1
//
// in that order, 32 numbers of a key or 32 positions at a time. A word of a tile holds numbers i and 16 + i of the 32.
//
//   keys:     [page][sixteen positions][32 numbers][part] tiles, a position a row
//   values:   [page][sixteen numbers][part] tiles, a number a row
//   queries:  [32 numbers][part][vector] tiles, a query a column    weights: [page][part][vector], the same
#pragma once

#include "../../../vector/turn.h"
#include "../../matmul/amx/bf16_parts.h"
#include "../../matmul/amx/tiles.h"
#include "../avx512/prompt_memory.h"
#include "../avx512/stored_sixteen.h"

namespace {

/** Of 16 rows of keys or values: the high part, then the low one. */
constexpr int64_t kPartsOfRows = 2 * kTileBytes;
/** Of 32 queries, or their weights: the largest parts of 16 and 16, then the others. */
constexpr int64_t kPartsOfQueries = kPartsOfNumber * 2 * kTileBytes;

/** Numbers i and 16 + i as pairs of bf16, high parts and low ones, which halves leave nothing of. */
POCKET_INLINE void partsOfHalves(__m512 first, __m512 second, __m512i& high, __m512i& low) {
  const __m512i mask = _mm512_set1_epi32(static_cast<int>(0xffff0000));
  const __m512i highs[2] = {_mm512_and_si512(_mm512_castps_si512(first), mask),
                            _mm512_and_si512(_mm512_castps_si512(second), mask)};
  high = pairsOf(highs[0], highs[1]);
  low = pairsOf(_mm512_castps_si512(restOf(first, highs[0])), _mm512_castps_si512(restOf(second, highs[1])));
}

/** Stores row `row` of the tiles of one vector of queries. */
POCKET_INLINE void storeParts(__m512 first, __m512 second, uint8_t* tiles, int64_t row, int vector) {
  uint8_t* to = tiles + vector * kTileBytes + row * kTileRowBytes;
#pragma GCC unroll 3
  for (int part = 0; part < kPartsOfNumber; part++, to += 2 * kTileBytes) {
    const __m512i highs[2] = {upperBf16(first), upperBf16(second)};
    first = restOf(first, highs[0]);
    second = restOf(second, highs[1]);
    _mm512_store_si512(to, pairsOf(highs[0], highs[1]));
  }
}

/** Tiles 0 to 3 += two times sixteen rows `x` times 32 columns `y`. */
POCKET_INLINE void addParts(const uint8_t* x0, const uint8_t* x1, const uint8_t* y) {
  const auto dots = []() __attribute__((always_inline)) {
    POCKET_TILE_DOT_BF16(0, 4, 6);
    POCKET_TILE_DOT_BF16(1, 4, 7);
    POCKET_TILE_DOT_BF16(2, 5, 6);
    POCKET_TILE_DOT_BF16(3, 5, 7);
  };
  const auto loadY = [&](int64_t part) __attribute__((always_inline)) {
    POCKET_TILE_LOAD(6, y + 2 * part * kTileBytes, kTileRowBytes);
    POCKET_TILE_LOAD(7, y + (2 * part + 1) * kTileBytes, kTileRowBytes);
  };
  POCKET_TILE_LOAD(4, x0, kTileRowBytes);
  POCKET_TILE_LOAD(5, x1, kTileRowBytes);
  loadY(2);
  dots();
  loadY(1);
  dots();
  loadY(0);
  dots();
  POCKET_TILE_LOAD(4, x0 + kTileBytes, kTileRowBytes);
  POCKET_TILE_LOAD(5, x1 + kTileBytes, kTileRowBytes);
  dots();
  loadY(1);
  dots();
}

/** The tiles of numbers c to c + 15 of the values of a page. What is not there, or not finite, stands as zero. */
template <bool whole>
POCKET_INLINE void putSixteen(const KeyRun& run, int64_t c, int64_t numbers, int64_t count, uint8_t* tiles,
                              __mmask16& finite) {
  const auto value = [&](int64_t p) __attribute__((always_inline)) {
    if (!whole && p >= count) return _mm512_setzero_ps();
    const __m512 x = sixteen<StoredF16>(run.values + p * run.valueStride, c, whole ? kTileRows : numbers);
    const __mmask16 isFinite = finiteOnes(x);
    finite = static_cast<__mmask16>(finite & isFinite);
    return _mm512_maskz_mov_ps(isFinite, x);
  };
  __m512i parts[2][16];
  for (int64_t i = 0; i < 16; i++) partsOfHalves(value(i), value(16 + i), parts[0][i], parts[1][i]);
  for (int part = 0; part < 2; part++) {
    turn(parts[part]);
    for (int64_t i = 0; i < 16; i++) {
      _mm512_store_si512(tiles + part * kTileBytes + i * kTileRowBytes, parts[part][i]);
    }
  }
}

POCKET_INLINE void storeSums(Lanes* lines) {
  POCKET_TILE_STORE(0, lines[0], sizeof(Lanes));
  POCKET_TILE_STORE(1, lines[0] + kLanes, sizeof(Lanes));
  POCKET_TILE_STORE(2, lines[kTileRows], sizeof(Lanes));
  POCKET_TILE_STORE(3, lines[kTileRows] + kLanes, sizeof(Lanes));
}

struct TileProducts {
  typedef StoredF16 Stored;

  POCKET_INLINE void begin() { configureTiles(); }
  POCKET_INLINE void end() { releaseTiles(); }

  POCKET_INLINE void putQueries(const PromptMemory& m, int64_t block, int64_t at, const Lanes* numbers) {
    uint8_t* tiles = queriesOf(m, block) + at / kTileNumbers * kPartsOfQueries;
    for (int64_t row = 0; row < kTileRows; row++) {
      for (int v = 0; v < 2; v++) {
        storeParts(lanes(numbers[row], v), lanes(numbers[kTileRows + row], v), tiles, row, v);
      }
    }
  }

  __attribute__((noinline)) static void putKeys(const PromptMemory& m, const KeyRun& run, int64_t headSize, int64_t at, int64_t count) {
    for (int64_t p = 0; p < count; p++) {
      const uint8_t* key = run.keys + p * run.keyStride;
      uint8_t* row = m.keys + 4 * (at + p / kTileRows * kTileRows) * m.headRoom + p % kTileRows * kTileRowBytes;
      for (int64_t i = 0; i < headSize; i += kTileNumbers, row += kPartsOfRows) {
        __m512i high;
        __m512i low;
        partsOfHalves(sixteen<Stored>(key, i, headSize - i),
                 headSize - i > kLanes ? sixteen<Stored>(key, i + kLanes, headSize - i - kLanes) : _mm512_setzero_ps(),
                 high, low);
        _mm512_store_si512(row, high);
        _mm512_store_si512(row + kTileBytes, low);
      }
    }
  }

  __attribute__((noinline)) static bool putValues(const PromptMemory& m, const KeyRun& run, int64_t valueSize,
                                                  int64_t at, int64_t count) {
    uint8_t* tiles = m.values + 4 * at * m.valueRoom;
    __mmask16 finite = 0xffff;
    for (int64_t c = 0; c < m.valueRoom; c += kTileRows, tiles += kPartsOfRows) {
      if (count == kPagePositions && c + kTileRows <= valueSize) {
        putSixteen<true>(run, c, kTileRows, count, tiles, finite);
      } else {
        putSixteen<false>(run, c, c < valueSize ? valueSize - c : 0, count, tiles, finite);
      }
    }
    return finite == 0xffff;
  }

  __attribute__((noinline)) static void score(const PromptMemory& m, int64_t block, int64_t headSize, int64_t from, int64_t to) {
    const int64_t ofSixteen = 4 * kTileRows * m.headRoom;
    for (int64_t page = from; page < to; page += kPagePositions) {
      const uint8_t* keys = m.keys + 4 * page * m.headRoom;
      const uint8_t* queries = queriesOf(m, block);
      POCKET_TILE_ZERO(0);
      POCKET_TILE_ZERO(1);
      POCKET_TILE_ZERO(2);
      POCKET_TILE_ZERO(3);
      for (int64_t i = 0; i < headSize; i += kTileNumbers) {
        addParts(keys, keys + ofSixteen, queries);
        keys += kPartsOfRows;
        queries += kPartsOfQueries;
      }
      storeSums(m.scores + page);
    }
  }

  POCKET_INLINE void putWeights(const PromptMemory& m, int64_t page, int64_t row, int vector, __m512 first,
                                __m512 second) {
    storeParts(first, second, m.weights + page / kPagePositions * kPartsOfQueries, row, vector);
  }

  __attribute__((noinline)) static void addValues(const PromptMemory& m, int64_t block, int64_t from, int64_t to) {
    for (int64_t c = 0; c < m.valueRoom; c += 2 * kTileRows) {
      Lanes* lines = outOf(m, block) + c;
      POCKET_TILE_LOAD(0, lines[0], sizeof(Lanes));
      POCKET_TILE_LOAD(1, lines[0] + kLanes, sizeof(Lanes));
      POCKET_TILE_LOAD(2, lines[kTileRows], sizeof(Lanes));
      POCKET_TILE_LOAD(3, lines[kTileRows] + kLanes, sizeof(Lanes));
      for (int64_t page = from; page < to; page += kPagePositions) {
        const uint8_t* values = m.values + 4 * page * m.valueRoom + c / kTileRows * kPartsOfRows;
        addParts(values, values + kPartsOfRows, m.weights + page / kPagePositions * kPartsOfQueries);
      }
      storeSums(lines);
    }
  }
};

}  // namespace
