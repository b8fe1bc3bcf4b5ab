// Which positions a row looks at, and where their keys and values stand.
#pragma once

#include "../../vector/f32x8.h"
#include "../call.h"
#include "unit.h"

namespace {

/** The keys and values of one head at up to 32 positions. */
struct KeyRun {
  const uint8_t* keys;
  const uint8_t* values;
  int64_t keyStride;
  int64_t valueStride;
};

/** Rows look at positions from <= p < to of their sequence. */
struct Sight {
  int64_t from;
  int64_t to;
};

/** The page of keys and values of one head that holds `position`; all of them where there are no pages. */
template <class Stored>
POCKET_INLINE KeyRun keysAt(const AttentionSource& s, int64_t head, int64_t position) {
  const int64_t keyBytes = Stored::bytesOf(s.headSize);
  const int64_t valueBytes = Stored::bytesOf(s.valueSize);
  if (s.pages == nullptr) {
    const int64_t at = position * s.kvHeads + head;
    return {s.keys + at * keyBytes, s.values + at * valueBytes, s.kvHeads * keyBytes, s.kvHeads * valueBytes};
  }
  const int64_t at = (s.pages[position / kPagePositions] * s.kvHeads + head) * kPagePositions;
  return {s.keys + at * keyBytes, s.values + at * valueBytes, keyBytes, valueBytes};
}

POCKET_INLINE Sight sightOf(const AttentionSource& s, int64_t row) {
  Sight sight = {0, s.positions};
  if (!s.causal) return sight;
  sight.to = s.start + row + 1;
  sight.from = s.window == 0 || sight.to < s.window ? 0 : sight.to - s.window;
  return sight;
}

/** What the row sees of the page from position `page` on, counted from there. */
POCKET_INLINE Sight sightInPage(const AttentionSource& s, int64_t row, int64_t page) {
  const Sight sight = sightOf(s, row);
  return {sight.from > page ? sight.from - page : 0,
          sight.to < page + kPagePositions ? sight.to - page : kPagePositions};
}

}  // namespace
