// attention of a row that decodes: one chunk of positions, for the query heads that share a key head.
//
// Up to four query heads go together, so that a key and a value are read once for them. Sixteen sums stand in registers:
// those of 16, 8 or 4 keys, or of as many sixteens of a value. What a head computes does not depend on how many go
// together: a score is a chain over sixteens of a key, then pairs of lanes, and a number of out is a chain over positions.
// Bound by reading the cache; what comes next is asked for a page ahead, and that of the next key head before this one's
// is done: an answer that has just begun has no more than a page of each.
#pragma once

#include "prompt_softmax.h"
#include "stored_sixteen.h"

namespace {

constexpr int kSums = 16;

/** Lane i of sumsOf is the sum of the vector in slot kSlotOf[i]. */
constexpr int kSlotOf[kSums] = {0, 2, 1, 3, 8, 10, 9, 11, 4, 6, 5, 7, 12, 14, 13, 15};

/** The sum of each of sixteen vectors: halves, then quarters, then pairs. */
POCKET_INLINE __m512 sumsOf(const __m512 (&v)[kSums]) {
  __m512 by8[8];
#pragma GCC unroll 8
  for (int i = 0; i < 8; i++) {
    by8[i] = _mm512_add_ps(_mm512_shuffle_f32x4(v[i], v[i + 8], 0x44), _mm512_shuffle_f32x4(v[i], v[i + 8], 0xee));
  }
  __m512d by4[4];
#pragma GCC unroll 4
  for (int i = 0; i < 4; i++) {
    by4[i] = _mm512_castps_pd(_mm512_add_ps(_mm512_shuffle_f32x4(by8[i], by8[i + 4], 0x88),
                                            _mm512_shuffle_f32x4(by8[i], by8[i + 4], 0xdd)));
  }
  __m512 by2[2];
#pragma GCC unroll 2
  for (int i = 0; i < 2; i++) {
    by2[i] = _mm512_add_ps(_mm512_castpd_ps(_mm512_unpacklo_pd(by4[i], by4[i + 2])),
                           _mm512_castpd_ps(_mm512_unpackhi_pd(by4[i], by4[i + 2])));
  }
  return _mm512_add_ps(_mm512_shuffle_ps(by2[0], by2[1], 0x88), _mm512_shuffle_ps(by2[0], by2[1], 0xdd));
}

/** Asks for what is read soon. */
POCKET_INLINE void askFor(const uint8_t* from, int64_t bytes) {
  for (int64_t i = 0; i < bytes; i += 64) _mm_prefetch(reinterpret_cast<const char*>(from + i), _MM_HINT_T0);
}

typedef float ChunkLine[kChunkPositions];

/** scores[n][k] = q[n] . key[k], for 16 / queries keys. */
template <class Stored, int queries>
POCKET_INLINE void scoreKeys(const float* const* q, int64_t headSize, const uint8_t* keys, int64_t stride,
                             ChunkLine* scores, int64_t at) {
  constexpr int kKeys = kSums / queries;
  __m512 sums[kSums];
#pragma GCC unroll 16
  for (int i = 0; i < kSums; i++) sums[i] = _mm512_setzero_ps();
  for (int64_t i = 0; i < headSize; i += kLanes) {
    __m512 x[queries];
#pragma GCC unroll 4
    for (int n = 0; n < queries; n++) x[n] = _mm512_maskz_loadu_ps(firstOf16(headSize - i), q[n] + i);
#pragma GCC unroll 16
    for (int k = 0; k < kKeys; k++) {
      const __m512 key = sixteen<Stored>(keys + k * stride, i, headSize - i);
#pragma GCC unroll 4
      for (int n = 0; n < queries; n++) {
        __m512& sum = sums[kSlotOf[n * kKeys + k]];
        sum = _mm512_fmadd_ps(key, x[n], sum);
      }
    }
  }
  alignas(64) float all[kSums];
  _mm512_store_ps(all, sumsOf(sums));
#pragma GCC unroll 4
  for (int n = 0; n < queries; n++) memcpy(scores[n] + at, all + n * kKeys, kKeys * sizeof(float));
}

/** Turns scores into weights, zero where the row does not look; the largest score and the sum go to part[0] and [1]. */
POCKET_INLINE void weighChunk(const AttentionSource& source, float* scores, const Sight& sight, float* part) {
  const int64_t begin = sight.from / kLanes * kLanes;
  const float cap = source.softcap;
  __m512 most = _mm512_set1_ps(-__FLT_MAX__);
  const auto seen = [&](int64_t p) __attribute__((always_inline)) {
    return static_cast<__mmask16>(firstOf16(sight.to - p) & ~firstOf16(sight.from > p ? sight.from - p : 0));
  };
  for (int64_t p = begin; p < sight.to; p += kLanes) {
    __m512 score = _mm512_mul_ps(_mm512_load_ps(scores + p), _mm512_set1_ps(source.scale));
    if (cap != 0) {
      score = (__m512)(every<f32x16>(cap) * hyperbolicTangent((f32x16)score / every<f32x16>(cap)));
    }
    _mm512_store_ps(scores + p, score);
    most = _mm512_mask_max_ps(most, seen(p), score, most);
  }
  part[0] = _mm512_reduce_max_ps(most);
  __m512 sum = _mm512_setzero_ps();
  for (int64_t p = begin; p < sight.to; p += kLanes) {
    const __m512 below = _mm512_sub_ps(_mm512_load_ps(scores + p), _mm512_set1_ps(part[0]));
    const __m512 weight = powerOfTwo(_mm512_mul_ps(below, _mm512_set1_ps(kLog2E)), seen(p));
    _mm512_store_ps(scores + p, weight);
    sum = _mm512_add_ps(sum, weight);
  }
  part[1] = _mm512_reduce_add_ps(sum);
}

/** The pages of a chunk, and what the row sees of it, counted from its first position. */
struct ChunkOfRow {
  const AttentionSource* source;
  int64_t kvHead;
  int64_t first;
  Sight sight;

  template <class Stored>
  inline __attribute__((always_inline)) KeyRun page(int64_t at) const {
    return keysAt<Stored>(*source, kvHead, first + (at < sight.to ? at : sight.from) / kPagePositions * kPagePositions);
  }
};

/** out[n] = sum over p of weights[n][p] * value[p], for `vectors` sixteens from number `c` on. */
template <class Stored, int queries, int vectors>
POCKET_INLINE void addChunkValues(const ChunkOfRow& chunk, const ChunkLine* weights, int64_t c, float* const* out) {
  const int64_t valueSize = chunk.source->valueSize;
  __m512 sums[queries][vectors];
#pragma GCC unroll 4
  for (int n = 0; n < queries; n++) {
#pragma GCC unroll 8
    for (int v = 0; v < vectors; v++) sums[n][v] = _mm512_setzero_ps();
  }
  for (int64_t p = chunk.sight.from; p < chunk.sight.to;) {
    const KeyRun run = chunk.page<Stored>(p);
    const KeyRun next = chunk.page<Stored>(p + kPagePositions);
    const int64_t end = lesser((p / kPagePositions + 1) * kPagePositions, chunk.sight.to);
    for (; p < end; p++) {
      const int64_t row = p % kPagePositions * run.valueStride;
      if (c == 0 && p + kPagePositions < chunk.sight.to) askFor(next.values + row, run.valueStride);
#pragma GCC unroll 8
      for (int v = 0; v < vectors; v++) {
        const int64_t i = c + kLanes * v;
        const __m512 value = sixteen<Stored>(run.values + row, i, valueSize - i);
#pragma GCC unroll 4
        for (int n = 0; n < queries; n++) {
          sums[n][v] = _mm512_fmadd_ps(value, _mm512_set1_ps(weights[n][p]), sums[n][v]);
        }
      }
    }
  }
#pragma GCC unroll 4
  for (int n = 0; n < queries; n++) {
#pragma GCC unroll 8
    for (int v = 0; v < vectors; v++) {
      const int64_t i = c + kLanes * v;
      _mm512_mask_storeu_ps(out[n] + i, firstOf16(valueSize - i), sums[n][v]);
    }
  }
}

/** Query heads `head` to `head` + queries - 1 of the group; parts are those of the first. */
template <class Stored, int queries>
__attribute__((noinline)) void attendAnswer(const AttentionUnit& unit, const ChunkOfRow& chunk, const float* firstQ,
                                            float* firstPart) {
  constexpr int kKeys = kSums / queries;
  constexpr int kVectors = queries == 4 ? 4 : 8;
  const AttentionSource& source = *unit.source;
  alignas(64) ChunkLine scores[queries];
  const float* q[queries];
  float* part[queries];
  float* out[queries];
  for (int n = 0; n < queries; n++) {
    q[n] = firstQ + n * source.headSize;
    part[n] = firstPart + n * unit.partStride;
    out[n] = part[n] + 2;
  }
  for (int64_t p = chunk.sight.from / kPagePositions * kPagePositions; p < chunk.sight.to; p += kPagePositions) {
    const KeyRun run = chunk.page<Stored>(p);
    const KeyRun next = chunk.page<Stored>(p + kPagePositions);
    for (int64_t k = 0; k < kPagePositions && p + k < chunk.sight.to; k += kKeys) {
      if (p + kPagePositions < chunk.sight.to) askFor(next.keys + k * run.keyStride, kKeys * run.keyStride);
      scoreKeys<Stored, queries>(q, source.headSize, run.keys + k * run.keyStride, run.keyStride, scores, p + k);
    }
  }
  for (int n = 0; n < queries; n++) weighChunk(source, scores[n], chunk.sight, part[n]);
  int64_t c = 0;
  for (; c + kLanes * kVectors <= source.valueSize; c += kLanes * kVectors) {
    addChunkValues<Stored, queries, kVectors>(chunk, scores, c, out);
  }
  for (; c < source.valueSize; c += kLanes) addChunkValues<Stored, queries, 1>(chunk, scores, c, out);
}

/** Asks for the first page of a chunk, and for the keys of the next head's, with which the next unit begins. */
template <class Stored>
POCKET_INLINE void askForFirstPages(const ChunkOfRow& chunk) {
  const KeyRun run = chunk.page<Stored>(chunk.sight.from);
  const int64_t rows = lesser(kPagePositions, chunk.sight.to - chunk.sight.from / kPagePositions * kPagePositions);
  askFor(run.keys, rows * run.keyStride);
  askFor(run.values, rows * run.valueStride);
  if (chunk.kvHead + 1 == chunk.source->kvHeads) return;
  askFor(run.keys + kPagePositions * run.keyStride, rows * run.keyStride);
}

/** The one chunk of a unit whose parts are to be stored. */
template <class Stored>
POCKET_INLINE void attendAnswers(const AttentionUnit& unit) {
  const AttentionSource& source = *unit.source;
  for (int64_t row = unit.rowFrom; row < unit.rowTo; row++) {
    ChunkOfRow chunk = {&source, unit.kvHead, unit.chunkFrom * kChunkPositions, sightOf(source, row)};
    chunk.sight = {greater(chunk.sight.from - chunk.first, 0), lesser(chunk.sight.to - chunk.first, kChunkPositions)};
    float* part = unit.parts + (row - unit.rowFrom) * unit.group * unit.partStride;
    const float* q = source.q + (row * source.heads + unit.kvHead * unit.group) * source.headSize;
    if (chunk.sight.from >= chunk.sight.to) {
      for (int64_t n = 0; n < unit.group; n++) {
        memset(part + n * unit.partStride, 0, static_cast<size_t>(partFloats(source.valueSize)) * sizeof(float));
      }
      continue;
    }
    askForFirstPages<Stored>(chunk);
    for (int64_t left = unit.group; left > 0;) {
      const int64_t together = left >= 4 ? 4 : left >= 2 ? 2 : 1;
      if (together == 4) attendAnswer<Stored, 4>(unit, chunk, q, part);
      if (together == 2) attendAnswer<Stored, 2>(unit, chunk, q, part);
      if (together == 1) attendAnswer<Stored, 1>(unit, chunk, q, part);
      q += together * source.headSize;
      part += together * unit.partStride;
      left -= together;
    }
  }
}

}  // namespace
