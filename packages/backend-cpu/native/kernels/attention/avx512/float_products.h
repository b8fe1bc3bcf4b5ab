// Products of queries with keys, and of weights with values, in f32: a number of a key or a value times 32 queries, which
// stand in two registers.
//
//   keys: [position][headRoom]   values: [sixteen of a value][position][16]   queries: [number][32]
//
// Each sum is one chain, over the numbers of a key or the positions of a chunk in order. Bound by FMA.
#pragma once

#include "prompt_memory.h"
#include "stored_sixteen.h"

namespace {

/** Adds 8 keys times 32 queries. */
POCKET_INLINE void scoreEight(const float* keys, int64_t stride, const Lanes* queries, int64_t headSize,
                              Lanes* scores) {
  __m512 sums[8][2];
#pragma GCC unroll 8
  for (int k = 0; k < 8; k++) sums[k][0] = sums[k][1] = _mm512_setzero_ps();
  for (int64_t d = 0; d < headSize; d++) {
    const __m512 q[2] = {lanes(queries[d], 0), lanes(queries[d], 1)};
#pragma GCC unroll 8
    for (int k = 0; k < 8; k++) {
      const __m512 key = _mm512_set1_ps(keys[k * stride + d]);
      sums[k][0] = _mm512_fmadd_ps(key, q[0], sums[k][0]);
      sums[k][1] = _mm512_fmadd_ps(key, q[1], sums[k][1]);
    }
  }
#pragma GCC unroll 8
  for (int k = 0; k < 8; k++) {
    setLanes(scores[k], 0, sums[k][0]);
    setLanes(scores[k], 1, sums[k][1]);
  }
}

/** Adds 8 numbers of values times the weights of 32 queries; a position's numbers stand 16 apart. */
POCKET_INLINE void addEight(const float* values, const Lanes* weights, int64_t positions, Lanes* out) {
  __m512 sums[8][2];
#pragma GCC unroll 8
  for (int c = 0; c < 8; c++) {
    sums[c][0] = lanes(out[c], 0);
    sums[c][1] = lanes(out[c], 1);
  }
  for (int64_t p = 0; p < positions; p++) {
    const __m512 w[2] = {lanes(weights[p], 0), lanes(weights[p], 1)};
#pragma GCC unroll 8
    for (int c = 0; c < 8; c++) {
      const __m512 value = _mm512_set1_ps(values[kLanes * p + c]);
      sums[c][0] = _mm512_fmadd_ps(value, w[0], sums[c][0]);
      sums[c][1] = _mm512_fmadd_ps(value, w[1], sums[c][1]);
    }
  }
#pragma GCC unroll 8
  for (int c = 0; c < 8; c++) {
    setLanes(out[c], 0, sums[c][0]);
    setLanes(out[c], 1, sums[c][1]);
  }
}

template <class StoredRows>
struct FloatProducts {
  typedef StoredRows Stored;

  POCKET_INLINE void begin() {}
  POCKET_INLINE void end() {}

  /** Takes numbers `at` to `at` + 31 of a block. */
  POCKET_INLINE void putQueries(const PromptMemory& m, int64_t block, int64_t at, const Lanes* numbers) {
    memcpy(queriesOf(m, block) + at * static_cast<int64_t>(sizeof(Lanes)), numbers, kSizeStep * sizeof(Lanes));
  }

  /** Takes the first `count` positions of a page, `at` of the chunk on. */
  __attribute__((noinline)) static void putKeys(const PromptMemory& m, const KeyRun& run, int64_t headSize, int64_t at, int64_t count) {
    for (int64_t p = 0; p < count; p++) {
      float* key = reinterpret_cast<float*>(m.keys) + (at + p) * m.headRoom;
      for (int64_t i = 0; i < headSize; i += kLanes) {
        _mm512_store_ps(key + i, sixteen<Stored>(run.keys + p * run.keyStride, i, headSize - i));
      }
    }
  }

  /** Zeros in the rest of the page; false where one is not finite. */
  __attribute__((noinline)) static bool putValues(const PromptMemory& m, const KeyRun& run, int64_t valueSize, int64_t at, int64_t count) {
    bool finite = true;
    float* values = reinterpret_cast<float*>(m.values);
    for (int64_t p = 0; p < kPagePositions; p++) {
      for (int64_t i = 0; i < m.valueRoom; i += kLanes) {
        const __m512 x = p < count && i < valueSize ? sixteen<Stored>(run.values + p * run.valueStride, i, valueSize - i)
                                       : _mm512_setzero_ps();
        const __mmask16 isFinite = finiteOnes(x);
        finite = finite && isFinite == 0xffff;
        _mm512_store_ps(values + i * kChunkPositions + (at + p) * kLanes, _mm512_maskz_mov_ps(isFinite, x));
      }
    }
    return finite;
  }

  __attribute__((noinline)) static void score(const PromptMemory& m, int64_t block, int64_t headSize, int64_t from, int64_t to) {
    const float* keys = reinterpret_cast<const float*>(m.keys);
    const Lanes* queries = reinterpret_cast<const Lanes*>(queriesOf(m, block));
    for (int64_t p = from; p < to; p += 8) {
      scoreEight(keys + p * m.headRoom, m.headRoom, queries, headSize, m.scores + p);
    }
  }

  POCKET_INLINE void putWeights(const PromptMemory&, int64_t, int64_t, int, __m512, __m512) {}

  __attribute__((noinline)) static void addValues(const PromptMemory& m, int64_t block, int64_t from, int64_t to) {
    for (int64_t c = 0; c < m.valueRoom; c += 8) {
      const float* sixteenth = reinterpret_cast<const float*>(m.values) + c / kLanes * kLanes * kChunkPositions;
      addEight(sixteenth + kLanes * from + c % kLanes, m.scores + from, to - from, outOf(m, block) + c);
    }
  }
};

}  // namespace
