// What one call of an attention kernel computes: some rows of one sequence, the query heads that share one key
// head, some chunks of its positions.
#pragma once

#include <cstdint>

/** Positions of one chunk: a softmax of its own. A multiple of the page. */
constexpr int64_t kChunkPositions = 256;

/** One sequence of one call. Row 0 is the sequence's first row of the step. */
struct AttentionSource {
  const float* q;
  float* out;
  /** One for each query head, or null. */
  const float* sinks;
  /** The whole cache layer with `pages`, or the first row of the sequence where `pages` is null. */
  const uint8_t* keys;
  const uint8_t* values;
  const int32_t* pages;
  int64_t heads;
  int64_t kvHeads;
  int64_t headSize;
  int64_t valueSize;
  float scale;
  float softcap;
  /** 0 where rows look back without end. */
  int64_t window;
  /** Row r stands at position start + r, and looks no further. Else it looks at all `positions`. */
  bool causal;
  int64_t start;
  int64_t positions;
};

struct AttentionUnit {
  const AttentionSource* source;
  int64_t rowFrom;
  int64_t rowTo;
  int64_t kvHead;
  /** Query heads for each key head. */
  int64_t group;
  int64_t chunkFrom;
  int64_t chunkTo;
  /**
   * Null: the result goes to out. Else the part of the one chunk is stored here, for each query the largest
   * score, the sum, and valueSize numbers; partStride floats from one query to the next.
   */
  float* parts;
  int64_t partStride;
  /** AttentionKernels::scratch bytes of this thread. */
  uint8_t* scratch;
};

/** Floats of a stored part. */
constexpr int64_t partFloats(int64_t valueSize) { return valueSize + 2; }

/** The rows of one query head to be merged: parts of chunks one after another, `chunkStride` floats apart. */
struct MergeUnit {
  const float* parts;
  int64_t chunks;
  int64_t chunkStride;
  int64_t valueSize;
  const float* sink;
  float* out;
  uint8_t* scratch;
};

struct AttentionKernels {
  /** Query heads of rows in one unit of a prompt, about. */
  int64_t queries;
  void (*attend)(const AttentionUnit& unit);
  /** Bytes that units of so many query heads need, whatever the format of the cache. */
  int64_t (*scratch)(int64_t queries, int64_t headSize, int64_t valueSize);
  void (*merge)(const MergeUnit& unit);
  /** Writes n numbers of one head of a row of keys or values as the cache holds them. */
  void (*store)(const float* x, int64_t n, uint8_t* row);
  /** Bytes of such a row. */
  int64_t (*rowBytes)(int64_t n);
};
