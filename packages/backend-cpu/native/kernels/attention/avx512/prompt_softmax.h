// The softmax of a block of queries over one chunk, all lanes at once: nothing is summed across lanes.
//
//   m' = max(m, scores)   weight[p] = 2^(score[p] - m')   out, sum *= 2^(m - m')   sum += weight[p]
//
// Scores are taken times log2(e), so that their powers of two are meant. Positions that a lane does not see weigh nothing;
// what it computes does not depend on the lanes beside it: a sum has one order over the positions of the chunk, with
// zeros in between.
#pragma once

#include "../../../vector/functions.h"
#include "prompt_memory.h"

namespace {

constexpr float kLog2E = 1.44269504f;

/** 2^x for x <= 0, relative error below 2^-22; below -115 it stays there. NaN stays NaN. */
POCKET_INLINE __m512 powerOfTwo(__m512 x, __mmask16 lanes) {
  const __m512 shifter = _mm512_set1_ps(12582912.0f);  // 1.5 * 2^23: adding it rounds to an integer
  x = _mm512_max_ps(_mm512_set1_ps(-115.0f), x);
  const __m512 shifted = _mm512_add_ps(x, shifter);
  const __m512 r = _mm512_sub_ps(x, _mm512_sub_ps(shifted, shifter));
  // The best polynomial for |r| <= 1/2 with 1 in front.
  __m512 p = _mm512_set1_ps(0.0013264727f);
  p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(0.009671513f));
  p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(0.055507336f));
  p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(0.24022242f));
  p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(0.693147f));
  p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(1.0f));
  // The low bits of `shifted` are the integer: added to the exponent.
  const __m512i exponent = _mm512_slli_epi32(_mm512_castps_si512(shifted), 23);
  return _mm512_castsi512_ps(_mm512_maskz_add_epi32(lanes, _mm512_castps_si512(p), exponent));
}

/** scores = softcap * tanh(scale * scores / softcap) */
__attribute__((noinline)) void capScores(float scale, float softcap, Lanes* scores, int64_t count) {
  const f32x16 factor = every<f32x16>(scale / softcap);
  for (int64_t p = 0; p < count; p++) {
    for (int v = 0; v < 2; v++) {
      const f32x16 capped = hyperbolicTangent((f32x16)lanes(scores[p], v) * factor) * every<f32x16>(softcap);
      setLanes(scores[p], v, (__m512)capped);
    }
  }
}

POCKET_INLINE bool allSee(const QueryBlock& block, int64_t page) {
  return block.all.from <= page && page + kPagePositions <= block.all.to;
}

/** The lanes that see a position, where it is known whether all do. */
template <bool all>
POCKET_INLINE __mmask16 lanesOf(const QueryBlock& block, int v, int64_t position) {
  return all ? static_cast<__mmask16>(0xffff) : lanesThatSee(block, v, position);
}

/** The larger of `most` and the scores of a page, which begins at a position of the sequence. */
template <bool all>
POCKET_INLINE void largestOfPage(const QueryBlock& block, const Lanes* scores, int64_t page, __m512 (&most)[2]) {
  for (int64_t p = 0; p < kPagePositions; p++) {
    for (int v = 0; v < 2; v++) {
      const __mmask16 seen = lanesOf<all>(block, v, page + p);
      most[v] = _mm512_mask_max_ps(most[v], seen, lanes(scores[p], v), most[v]);
    }
  }
}

/** What weighing a page needs and adds to, by vector. */
struct Weighing {
  __m512 scale;
  __m512 most[2];
  __m512 sum[2][2];
};

template <class Products, bool all>
POCKET_INLINE void weighPage(const QueryBlock& block, const PromptMemory& m, int64_t page, int64_t at, Weighing& w) {
  for (int64_t p = 0; p < kLanes; p++) {
#pragma GCC unroll 2
    for (int v = 0; v < 2; v++) {
      __m512 weight[2];
#pragma GCC unroll 2
      for (int half = 0; half < 2; half++) {
        Lanes& line = m.scores[at + p + kLanes * half];
        const __mmask16 seen = lanesOf<all>(block, v, page + p + kLanes * half);
        weight[half] = powerOfTwo(_mm512_fmsub_ps(lanes(line, v), w.scale, w.most[v]), seen);
        w.sum[v][half] = _mm512_add_ps(w.sum[v][half], weight[half]);
        setLanes(line, v, weight[half]);
      }
      Products::putWeights(m, at, p, v, weight[0], weight[1]);
    }
  }
}

/**
 * Turns the scores of whole pages, positions `first` + from <= p < `first` + to, into weights. Stores by how much what
 * the lanes have so far shrinks.
 */
template <class Products>
__attribute__((noinline)) void weighScores(const AttentionSource& source, QueryBlock& block, const PromptMemory& m,
                                           int64_t first, int64_t from, int64_t to, Lanes& keep) {
  if (source.softcap != 0) capScores(source.scale, source.softcap, m.scores + from, to - from);
  Weighing w;
  w.scale = _mm512_set1_ps((source.softcap != 0 ? 1.0f : source.scale) * kLog2E);
  __m512 largest[2];
  largest[0] = largest[1] = _mm512_set1_ps(-__FLT_MAX__);
  for (int64_t at = from; at < to; at += kPagePositions) {
    if (allSee(block, first + at)) {
      largestOfPage<true>(block, m.scores + at, first + at, largest);
    } else {
      largestOfPage<false>(block, m.scores + at, first + at, largest);
    }
  }
  for (int v = 0; v < 2; v++) {
    w.most[v] = _mm512_max_ps(_mm512_mul_ps(largest[v], w.scale), lanes(block.most, v));
    w.sum[v][0] = w.sum[v][1] = _mm512_setzero_ps();
  }
  for (int64_t at = from; at < to; at += kPagePositions) {
    if (allSee(block, first + at)) {
      weighPage<Products, true>(block, m, first + at, at, w);
    } else {
      weighPage<Products, false>(block, m, first + at, at, w);
    }
  }
  for (int v = 0; v < 2; v++) {
    const __m512 shrinks = powerOfTwo(_mm512_sub_ps(lanes(block.most, v), w.most[v]), 0xffff);
    setLanes(keep, v, shrinks);
    setLanes(block.most, v, w.most[v]);
    setLanes(block.sum, v, _mm512_fmadd_ps(lanes(block.sum, v), shrinks, _mm512_add_ps(w.sum[v][0], w.sum[v][1])));
  }
}

/** What the sums of values of each lane are to be multiplied by: 1 / (sum of weights + e^sink). */
POCKET_INLINE __m512 finalFactor(const QueryBlock& block, int v, const Lanes* sinks) {
  __m512 sum = lanes(block.sum, v);
  __m512 keep = _mm512_set1_ps(1.0f);
  if (sinks != nullptr) {
    const __m512 sink = _mm512_mul_ps(lanes(*sinks, v), _mm512_set1_ps(kLog2E));
    const __m512 most = _mm512_max_ps(sink, lanes(block.most, v));
    keep = powerOfTwo(_mm512_sub_ps(lanes(block.most, v), most), 0xffff);
    sum = _mm512_fmadd_ps(sum, keep, powerOfTwo(_mm512_sub_ps(sink, most), 0xffff));
  }
  return _mm512_div_ps(keep, sum);
}

}  // namespace
