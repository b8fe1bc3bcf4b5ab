// What stands in a thread's memory while rows of a prompt attend: query heads in blocks of 32, one in each lane of two
// vectors, and the keys and values of one chunk in the form that the products want (float_products.h,
// ../amx/tile_products.h).
#pragma once

#include "../../../vector/f32x16.h"
#include "../sight.h"

namespace {

constexpr int64_t kLanes = 16;
constexpr int64_t kBlockQueries = 2 * kLanes;
/** Query heads of one unit: the more, the less it counts that keys and values change their form for each unit. */
constexpr int64_t kPromptQueries = 128;

/** Sizes are padded to multiples of this, with zeros. */
constexpr int64_t kSizeStep = 32;
/** Parts of bf16 that a query or a weight comes apart into, where products are by tiles. */
constexpr int64_t kPartsOfNumber = 3;
constexpr int64_t kBytesOfParts = 2 * kPartsOfNumber;

POCKET_INLINE int64_t lesser(int64_t a, int64_t b) { return a < b ? a : b; }
POCKET_INLINE int64_t greater(int64_t a, int64_t b) { return a > b ? a : b; }

constexpr int64_t paddedSize(int64_t size) { return (size + kSizeStep - 1) / kSizeStep * kSizeStep; }

struct QueryBlock {
  /** Each lane looks at positions from <= p < to. Lanes without a query have those of the last one. */
  alignas(64) int32_t from[kBlockQueries];
  alignas(64) int32_t to[kBlockQueries];
  /** Of the scores so far, times log2(e): the largest, and the sum of 2^(score - largest). */
  alignas(64) float most[kBlockQueries];
  alignas(64) float sum[kBlockQueries];
  int64_t queries;
  /** What at least one lane looks at, and what all do. */
  Sight any;
  Sight all;
};

/** A line of numbers, one for each query of a block. */
typedef float Lanes[kBlockQueries];

struct PromptMemory {
  int64_t headRoom;
  int64_t valueRoom;
  int64_t blocks;
  QueryBlock* block;
  /** [block]: kBytesOfParts a number, or 4. */
  uint8_t* queries;
  int64_t queryBytes;
  /** [block][number of the value]: sums of weighted values. */
  Lanes* out;
  /** Keys and values of the chunk: 4 bytes a number. */
  uint8_t* keys;
  uint8_t* values;
  /** [position of the chunk]: the scores of one block, then its weights. */
  Lanes* scores;
  /** The weights once more, for products that want them in another form: kBytesOfParts a number. */
  uint8_t* weights;
  /** A value of the chunk is not finite, and stands as zero in `values`. */
  bool notFinite;
};

constexpr int64_t promptScratch(int64_t queries, int64_t headSize, int64_t valueSize) {
  const int64_t blocks = (queries + kBlockQueries - 1) / kBlockQueries;
  const int64_t headRoom = paddedSize(headSize);
  const int64_t valueRoom = paddedSize(valueSize);
  const int64_t ofBlock = static_cast<int64_t>(sizeof(QueryBlock)) + kBlockQueries * (kBytesOfParts * headRoom + 4 * valueRoom);
  return blocks * ofBlock + kChunkPositions * (4 * (headRoom + valueRoom) + (4 + kBytesOfParts) * kBlockQueries);
}

POCKET_INLINE PromptMemory promptMemory(uint8_t* scratch, int64_t queries, int64_t headSize, int64_t valueSize) {
  PromptMemory m;
  m.blocks = (queries + kBlockQueries - 1) / kBlockQueries;
  m.headRoom = paddedSize(headSize);
  m.valueRoom = paddedSize(valueSize);
  m.queryBytes = kBytesOfParts * kBlockQueries * m.headRoom;
  m.keys = scratch;
  m.values = m.keys + 4 * kChunkPositions * m.headRoom;
  m.scores = reinterpret_cast<Lanes*>(m.values + 4 * kChunkPositions * m.valueRoom);
  m.weights = reinterpret_cast<uint8_t*>(m.scores + kChunkPositions);
  m.queries = m.weights + kBytesOfParts * kChunkPositions * kBlockQueries;
  m.out = reinterpret_cast<Lanes*>(m.queries + m.blocks * m.queryBytes);
  m.block = reinterpret_cast<QueryBlock*>(m.out + m.blocks * m.valueRoom);
  m.notFinite = false;
  return m;
}

/** The part of one block. */
POCKET_INLINE Lanes* outOf(const PromptMemory& m, int64_t block) { return m.out + block * m.valueRoom; }
POCKET_INLINE uint8_t* queriesOf(const PromptMemory& m, int64_t block) { return m.queries + block * m.queryBytes; }

POCKET_INLINE __m512 lanes(const Lanes& line, int vector) { return _mm512_load_ps(line + kLanes * vector); }
POCKET_INLINE void setLanes(Lanes& line, int vector, __m512 x) { _mm512_store_ps(line + kLanes * vector, x); }

/** The lanes that look at a position. */
POCKET_INLINE __mmask16 lanesThatSee(const QueryBlock& block, int vector, int64_t position) {
  const __m512i p = _mm512_set1_epi32(static_cast<int32_t>(position));
  const __mmask16 begun = _mm512_cmple_epi32_mask(_mm512_load_si512(block.from + kLanes * vector), p);
  return _mm512_mask_cmpgt_epi32_mask(begun, _mm512_load_si512(block.to + kLanes * vector), p);
}

}  // namespace
