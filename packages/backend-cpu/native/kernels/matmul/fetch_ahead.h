// How kernels of one row ask for the weights that come next.
#pragma once

#include "../../vector/f32x8.h"

namespace {

/**
 * Asks for a line far ahead, and reads a word of one near ahead; kTouchRoom bytes behind the weights may be read too.
 * The memory then always has enough to do, and the first-level cache sees one stream in ascending order, whatever
 * the order in which a format's fields meet.
 */
template <int64_t near>
POCKET_INLINE void fetchAhead(const uint8_t* line) {
  constexpr int64_t kFar = 8 << 10;
  uint64_t word;
  __asm__ volatile("prefetcht1 %c2(%1)\n\tmov %c3(%1), %0" : "=r"(word) : "r"(line), "i"(kFar), "i"(near));
}

}  // namespace
