// Code books that can be searched. A point of a book is a group of values; its code holds their levels, a few bits each.
//
// Each target is rounded to the nearest level. Where that pattern of levels is a point, it is the answer; else the
// points nearest to the pattern are compared, by squared distance from the targets with importance: all at the smallest
// distances from it, counted in levels, until there are enough. Which those are is found out for every pattern of a
// book when it is searched first.
#pragma once

#include "lanes.h"
#include "pocketllm_abi.h"

namespace {

/** kChunks: lists of neighbours, in chunks of eight, over all patterns. */
#define POCKET_BOOK(name, NAME, width, levelCount, points, chunks)                  \
  struct book_##name {                                                              \
    static constexpr int kWidth = width;                                            \
    static constexpr int kBits = POCKET_##NAME##_BITS;                              \
    static constexpr int kLevels = levelCount;                                      \
    static constexpr int kPoints = points;                                          \
    static constexpr int kChunks = chunks;                                          \
    static constexpr int codeOf(int point) { return pocket_##name##_codes[point]; } \
    static constexpr float level(int i) { return pocket_##name##_levels[i]; }       \
  };
POCKET_BOOK(iq1_s, IQ1_S, 8, 3, 2048, 23687)
POCKET_BOOK(iq2_xxs, IQ2_XXS, 8, 3, 256, 25592)
POCKET_BOOK(iq2_xs, IQ2_XS, 8, 3, 512, 29182)
POCKET_BOOK(iq2_s, IQ2_S, 8, 3, 1024, 37086)
POCKET_BOOK(iq3_xxs, IQ3_XXS, 4, 8, 256, 11061)
POCKET_BOOK(iq3_s, IQ3_S, 4, 8, 512, 10008)
#undef POCKET_BOOK

constexpr int powerOf(int base, int exponent) { return exponent == 0 ? 1 : base * powerOf(base, exponent - 1); }

template <class Book>
struct Grid {
  static constexpr int kPatterns = powerOf(Book::kLevels, Book::kWidth);
  static constexpr int kMask = (1 << Book::kBits) - 1;
  /** Points that are compared at least. */
  static constexpr int kEnough = 16;

  /** Where no chunks belong to a pattern, it is the point with this code. */
  struct Entry {
    uint32_t firstChunk;
    uint16_t chunks;
    uint16_t code;
  };
  /** By pattern: its levels as the digits of a number, the first the lowest. */
  Entry entries[kPatterns];
  /** Codes of points; the last of a list repeats until its chunk is full. */
  alignas(16) uint16_t neighbours[Book::kChunks * 8];
  /** By code. */
  uint16_t pointOf[1 << (Book::kBits * Book::kWidth)];

  /** Made by whoever comes first, while others wait; some milliseconds. */
  static const Grid& get() {
    static const Grid grid;
    return grid;
  }

 private:
  Grid() {
    static uint8_t levels[Book::kWidth][Book::kPoints];
    for (int p = 0; p < Book::kPoints; p++) {
      for (int k = 0; k < Book::kWidth; k++) levels[k][p] = Book::codeOf(p) >> Book::kBits * k & kMask;
      pointOf[Book::codeOf(p)] = static_cast<uint16_t>(p);
    }
    uint32_t chunk = 0;
    for (int pattern = 0; pattern < kPatterns; pattern++) {
      uint8_t distances[Book::kPoints] = {};
      int code = 0;
      for (int k = 0, rest = pattern; k < Book::kWidth; k++, rest /= Book::kLevels) {
        const int level = rest % Book::kLevels;
        code |= level << Book::kBits * k;
        for (int p = 0; p < Book::kPoints; p++) {
          const int miss = levels[k][p] - level;
          distances[p] = static_cast<uint8_t>(distances[p] + miss * miss);
        }
      }
      chunk = enter(entries[pattern], code, distances, chunk);
    }
  }

  /** Gives the chunk that is free next. */
  uint32_t enter(Entry& entry, int code, const uint8_t* distances, uint32_t chunk) {
    int counts[256] = {};
    for (int p = 0; p < Book::kPoints; p++) counts[distances[p]]++;
    entry = {chunk, 0, static_cast<uint16_t>(code)};
    if (counts[0] > 0) return chunk;
    int furthest = 0;
    for (int found = 0; found < kEnough; furthest++) found += counts[furthest];
    uint16_t* list = neighbours + 8 * chunk;
    int count = 0;
    for (int p = 0; p < Book::kPoints; p++) {
      if (distances[p] < furthest) list[count++] = static_cast<uint16_t>(Book::codeOf(p));
    }
    for (; count % 8 != 0; count++) list[count] = list[count - 1];
    entry.chunks = static_cast<uint16_t>(count / 8);
    return chunk + entry.chunks;
  }
};

}  // namespace
