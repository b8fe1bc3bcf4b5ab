// The softmax over keys, page by page, with the weighted sum of the values beside it.
//
// A query keeps the largest score so far m, the sum l of e^(score - m), and out = sum of e^(score - m) * value.
// When m grows, what was summed shrinks by e^(m - new m). Two such parts over different keys merge the same way.
// All arithmetic of a query depends on its own scores alone: queries are taken in pairs only to read keys once.
#pragma once

#include "../../vector/functions.h"
#include "sight.h"
#include "stored_rows.h"

namespace {

struct SoftmaxPart {
  float most;
  float sum;
  /** valueSize numbers, with room for whole vectors. */
  float* out;
};

/** One query head of one row. */
struct Query {
  const float* q;
  SoftmaxPart part;
};

struct AttentionShape {
  int64_t headSize;
  int64_t valueSize;
  float scale;
  /** 0 where there is none. */
  float softcap;
};

POCKET_INLINE float exponentialOf(float x) { return exponential(splat(x))[0]; }

POCKET_INLINE void clear(SoftmaxPart& part, int64_t valueSize) {
  part.most = -__builtin_inff();
  part.sum = 0;
  memset(part.out, 0, static_cast<size_t>((valueSize + 7) / 8 * 8) * sizeof(float));
}

/** Adds a part over later keys to one over earlier ones. An empty part changes nothing. */
POCKET_INLINE void merge(SoftmaxPart& into, const SoftmaxPart& part, int64_t valueSize) {
  if (part.sum == 0) return;
  const float most = into.most > part.most ? into.most : part.most;
  const float keep = exponentialOf(into.most - most);
  const float take = exponentialOf(part.most - most);
  into.most = most;
  into.sum = into.sum * keep + part.sum * take;
  for (int64_t c = 0; c < valueSize; c++) into.out[c] = into.out[c] * keep + part.out[c] * take;
}

/** out = part.out / part.sum, with e^sink in the sum where there is a sink. */
POCKET_INLINE void finish(const SoftmaxPart& part, const float* sink, int64_t valueSize, float* out) {
  const float most = sink != nullptr && *sink > part.most ? *sink : part.most;
  const float keep = exponentialOf(part.most - most);
  const float sum = part.sum * keep + (sink != nullptr ? exponentialOf(*sink - most) : 0.0f);
  for (int64_t c = 0; c < valueSize; c++) out[c] = part.out[c] * keep / sum;
}

/** scores[q][p] = q . key[p] for from <= p < to, four positions at a time. */
template <class Stored, int queries>
POCKET_INLINE void scoreRun(Query* const* query, const AttentionShape& shape, const KeyRun& run, int64_t from,
                            int64_t to, float (*scores)[40]) {
  for (int64_t p = from; p < to; p += 4) {
    const uint8_t* keys[4];
    for (int j = 0; j < 4; j++) keys[j] = run.keys + (p + j < to ? p + j : to - 1) * run.keyStride;
    f32x8 acc[queries][4] = {};
    for (int64_t i = 0; i < shape.headSize; i += 8) {
      const int64_t count = shape.headSize - i;
      f32x8 q[queries];
      for (int n = 0; n < queries; n++) q[n] = count >= 8 ? load8(query[n]->q + i) : loadPart(query[n]->q + i, count);
#pragma GCC unroll 4
      for (int j = 0; j < 4; j++) {
        const f32x8 key = Stored::load(keys[j], i, count);
#pragma GCC unroll 2
        for (int n = 0; n < queries; n++) acc[n][j] = multiplyAdd(key, q[n], acc[n][j]);
      }
    }
    for (int n = 0; n < queries; n++) {
      for (int j = 0; j < 4; j++) scores[n][p - from + j] = sumOf(acc[n][j]);
    }
  }
}

/** Turns `count` scores into weights e^(score - m), zeros behind them; shrinks what the query has so far. */
POCKET_INLINE float weighScores(Query& query, const AttentionShape& shape, float* scores, int64_t count) {
  for (int64_t p = count; p < 40; p++) scores[p] = -__builtin_inff();
  f32x8 most = splat(query.part.most);
  for (int64_t p = 0; p < count; p += 8) {
    f32x8 score = load8(scores + p) * splat(shape.scale);
    if (shape.softcap != 0) {
      const f32x8 cap = splat(shape.softcap);
      score = count - p >= 8 ? cap * hyperbolicTangent(score / cap) : score;
      if (count - p < 8) {
        for (int64_t j = 0; j < count - p; j++) score[j] = (cap * hyperbolicTangent(splat(score[j]) / cap))[0];
      }
    }
    store8(scores + p, score);
    most = larger(score, most);
  }
  const float newMost = largestOf(most);
  f32x8 sum = splat(0.0f);
  for (int64_t p = 0; p < count; p += 8) {
    const f32x8 weight = exponential(load8(scores + p) - splat(newMost));
    store8(scores + p, weight);
    for (int64_t j = count; j < p + 8; j++) scores[j] = 0;
    sum += load8(scores + p);
  }
  const float keep = exponentialOf(query.part.most - newMost);
  query.part.most = newMost;
  query.part.sum = query.part.sum * keep + sumOf(sum);
  return keep;
}

/** out = out * keep + sum over p of weights[p] * value[p], for `vectors` vectors of eight from column `at`. */
template <class Stored, int queries, int vectors>
POCKET_INLINE void addValues(Query* const* query, const float* keep, const AttentionShape& shape, const KeyRun& run,
                             int64_t from, int64_t to, const float (*weights)[40], int64_t at) {
  f32x8 acc[queries][vectors];
  for (int n = 0; n < queries; n++) {
    for (int v = 0; v < vectors; v++) acc[n][v] = load8(query[n]->part.out + at + 8 * v) * splat(keep[n]);
  }
  for (int64_t p = from; p < to; p++) {
    const uint8_t* values = run.values + p * run.valueStride;
#pragma GCC unroll 4
    for (int v = 0; v < vectors; v++) {
      const f32x8 value = Stored::load(values, at + 8 * v, shape.valueSize - at - 8 * v);
#pragma GCC unroll 2
      for (int n = 0; n < queries; n++) acc[n][v] = multiplyAdd(value, splat(weights[n][p - from]), acc[n][v]);
    }
  }
  for (int n = 0; n < queries; n++) {
    for (int v = 0; v < vectors; v++) store8(query[n]->part.out + at + 8 * v, acc[n][v]);
  }
}

/** Attends to the positions from <= p < to of a run, the same for all queries. */
template <class Stored, int queries>
POCKET_INLINE void attendRun(Query* const* query, const AttentionShape& shape, const KeyRun& run, int64_t from,
                             int64_t to) {
  float weights[queries][40];
  float keep[queries];
  scoreRun<Stored, queries>(query, shape, run, from, to, weights);
  for (int n = 0; n < queries; n++) keep[n] = weighScores(*query[n], shape, weights[n], to - from);
  int64_t at = 0;
  for (; at + 32 <= shape.valueSize; at += 32) {
    addValues<Stored, queries, 4>(query, keep, shape, run, from, to, weights, at);
  }
  for (; at < shape.valueSize; at += 8) {
    addValues<Stored, queries, 1>(query, keep, shape, run, from, to, weights, at);
  }
}

}  // namespace
