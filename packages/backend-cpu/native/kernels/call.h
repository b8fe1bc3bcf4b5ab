// What a kernel is given. Plain data without functions, so that code for any instruction set may include it.
#pragma once

#include <cstdint>

/** Rows of one sequence in a step; rows stand sequence after sequence. */
struct SequenceRows {
  int64_t firstRow;
  int64_t rows;
  /** Position of the first row. */
  int64_t start;
  bool decodes;
  /** Page ids in order of position. */
  const int32_t* pages;
};

/** Keys and values of one layer: [page, head, position in the page, size] in the format of the cache. */
struct CacheLayer {
  uint8_t* keys;
  uint8_t* values;
  /** GGUF type id of f32, f16 or q8_0. */
  int32_t format;
};

constexpr int64_t kPagePositions = 32;

/** A number that an op cannot take. */
enum class RefusedKind : int64_t { kNaN, kInfinite, kNegativeInfinite, kNegative };
constexpr int64_t kNothingRefused = INT64_MAX;

/**
 * One op of a step. Operands stand in the order of the ABI's declaration (null where an optional one is absent);
 * sizes and attributes are named by an enum in the header of each op. Choices are their index in the ABI.
 */
struct Call {
  const void* in[6];
  void* out[2];
  int64_t size[6];
  double attribute[6];
  /** Rows or elements, for ops that work through a range of them. */
  int64_t units;
  const SequenceRows* sequences;
  int64_t sequenceCount;
  /** For each row of the call whether its sequence decodes; null where none does. */
  const uint8_t* decodes;
  const CacheLayer* cache;
  /** The number that is refused (refusal.h): row * 2^32 + column, then two bits for its kind. All threads write it. */
  int64_t* refused;
  /** Memory for this call, as the op asks for it; shared by all threads. */
  uint8_t* scratch;
  /** Memory of this thread, as the op asks for it. */
  uint8_t* threadScratch;
};

/** Computes the units from <= unit < to of a call: rows, unless the op's header says otherwise. */
typedef void (*RangeKernel)(const Call& call, int64_t from, int64_t to);
