// attention of rows of prompts, and of attention_full, 32 queries at a time.
//
// Queries stand in lanes, so that scores, softmax and sums of values need no sum across a register. A unit goes through
// its chunks in order: the keys and values of one change their form once for all queries, then each block of queries
// scores, weighs (prompt_softmax.h) and adds. Who shares a block changes no bit: a lane sums over numbers of a key, and
// over positions of a chunk, in the order of those, and positions that it does not see add zeros. A value that is not
// finite would make more of a zero; so it is taken out, and added by itself to the lanes that see it.
#pragma once

#include "../../../vector/turn.h"
#include "prompt_softmax.h"

namespace {

/** Where query i of a unit stands among all rows and heads. */
POCKET_INLINE int64_t rowAndHead(const AttentionUnit& unit, int64_t i) {
  return (unit.rowFrom + i / unit.group) * unit.source->heads + unit.kvHead * unit.group + i % unit.group;
}

/** Numbers i to i + 15 of 16 queries, one query a lane. */
POCKET_INLINE void turnQueries(const AttentionUnit& unit, int64_t firstQuery, int64_t queries, int64_t i, int v,
                               Lanes* numbers) {
  const int64_t headSize = unit.source->headSize;
  __m512i lines[kLanes];
  for (int64_t n = 0; n < kLanes; n++) {
    lines[n] = _mm512_setzero_si512();
    if (n >= queries || i >= headSize) continue;
    const float* q = unit.source->q + rowAndHead(unit, firstQuery + n) * headSize + i;
    lines[n] = _mm512_castps_si512(_mm512_maskz_loadu_ps(firstOf16(headSize - i), q));
  }
  turn(lines);
  for (int64_t c = 0; c < kLanes; c++) setLanes(numbers[c], v, _mm512_castsi512_ps(lines[c]));
}

template <class Products>
__attribute__((noinline)) void beginBlock(const AttentionUnit& unit, const PromptMemory& m, int64_t b, int64_t queries) {
  QueryBlock& block = m.block[b];
  block.queries = queries;
  block.any = {INT64_MAX, 0};
  block.all = {0, INT64_MAX};
  for (int64_t i = 0; i < kBlockQueries; i++) {
    const int64_t query = kBlockQueries * b + (i < queries ? i : queries - 1);
    const Sight sight = sightOf(*unit.source, unit.rowFrom + query / unit.group);
    block.from[i] = static_cast<int32_t>(sight.from);
    block.to[i] = static_cast<int32_t>(sight.to);
    block.any = {lesser(block.any.from, sight.from), greater(block.any.to, sight.to)};
    block.all = {greater(block.all.from, sight.from), lesser(block.all.to, sight.to)};
    block.most[i] = -__FLT_MAX__;
    block.sum[i] = 0;
  }
  memset(outOf(m, b), 0, static_cast<size_t>(m.valueRoom) * sizeof(Lanes));
  for (int64_t at = 0; at < m.headRoom; at += kSizeStep) {
    alignas(64) Lanes numbers[kSizeStep];
    for (int v = 0; v < 2; v++) {
      const int64_t first = kLanes * v;
      for (int64_t i = 0; i < kSizeStep; i += kLanes) {
        turnQueries(unit, kBlockQueries * b + first, queries - first, at + i, v, numbers + i);
      }
    }
    Products::putQueries(m, b, at, numbers);
  }
}

/** Adds the values that are not finite to the lanes that see them. */
template <class Products>
__attribute__((noinline)) void addNotFinite(const AttentionUnit& unit, const PromptMemory& m, int64_t b, int64_t first,
                                            int64_t from, int64_t to) {
  typedef typename Products::Stored Stored;
  const int64_t valueSize = unit.source->valueSize;
  for (int64_t p = from; p < to; p++) {
    const int64_t page = (first + p) / kPagePositions * kPagePositions;
    const KeyRun run = keysAt<Stored>(*unit.source, unit.kvHead, page);
    const uint8_t* row = run.values + (first + p - page) * run.valueStride;
    for (int64_t c = 0; c < valueSize; c++) {
      const __m512 value = _mm512_set1_ps(Stored::load(row, c / 8 * 8, valueSize - c / 8 * 8)[c % 8]);
      if (finiteOnes(value) != 0) continue;
      for (int v = 0; v < 2; v++) {
        Lanes& line = outOf(m, b)[c];
        const __mmask16 seen = lanesThatSee(m.block[b], v, first + p);
        setLanes(line, v, _mm512_mask3_fmadd_ps(value, lanes(m.scores[p], v), lanes(line, v), seen));
      }
    }
  }
}

template <class Products>
POCKET_INLINE void attendBlock(const AttentionUnit& unit, const PromptMemory& m, int64_t b, int64_t first) {
  QueryBlock& block = m.block[b];
  const int64_t from = greater(block.any.from - first, 0) / kPagePositions * kPagePositions;
  const int64_t to = lesser(block.any.to - first, kChunkPositions);
  if (from >= to) return;
  const int64_t pagesTo = (to + kPagePositions - 1) / kPagePositions * kPagePositions;
  Products::score(m, b, unit.source->headSize, from, pagesTo);
  alignas(64) Lanes keep;
  weighScores<Products>(*unit.source, block, m, first, from, pagesTo, keep);
  Lanes* out = outOf(m, b);
  for (int v = 0; v < 2; v++) {
    const __m512 shrinks = lanes(keep, v);
    for (int64_t c = 0; c < m.valueRoom; c++) setLanes(out[c], v, _mm512_mul_ps(lanes(out[c], v), shrinks));
  }
  Products::addValues(m, b, from, pagesTo);
  if (m.notFinite) addNotFinite<Products>(unit, m, b, first, from, to);
}

template <class Products>
POCKET_INLINE void attendPromptChunk(const AttentionUnit& unit, PromptMemory& m, int64_t first) {
  const AttentionSource& source = *unit.source;
  Sight seen = {INT64_MAX, 0};
  for (int64_t b = 0; b < m.blocks; b++) {
    seen = {lesser(seen.from, m.block[b].any.from), greater(seen.to, m.block[b].any.to)};
  }
  const int64_t from = greater(seen.from, first) / kPagePositions * kPagePositions;
  const int64_t to = lesser(seen.to, first + kChunkPositions);
  m.notFinite = false;
  for (int64_t page = from; page < to; page += kPagePositions) {
    const KeyRun run = keysAt<typename Products::Stored>(source, unit.kvHead, page);
    const int64_t count = lesser(kPagePositions, to - page);
    Products::putKeys(m, run, source.headSize, page - first, count);
    if (!Products::putValues(m, run, source.valueSize, page - first, count)) m.notFinite = true;
  }
  for (int64_t b = 0; b < m.blocks; b++) attendBlock<Products>(unit, m, b, first);
}

/** out = sums of values / (sum of weights + e^sink). */
__attribute__((noinline)) void finishBlock(const AttentionUnit& unit, const PromptMemory& m, int64_t b) {
  const AttentionSource& source = *unit.source;
  const QueryBlock& block = m.block[b];
  alignas(64) Lanes sinks;
  for (int64_t i = 0; i < kBlockQueries && source.sinks != nullptr; i++) {
    sinks[i] = source.sinks[unit.kvHead * unit.group + (kBlockQueries * b + i) % unit.group];
  }
  for (int v = 0; v < 2; v++) {
    const __m512 factor = finalFactor(block, v, source.sinks == nullptr ? nullptr : &sinks);
    for (int64_t c = 0; c < source.valueSize; c += kLanes) {
      __m512i lines[kLanes];
      for (int64_t i = 0; i < kLanes; i++) {
        lines[i] = _mm512_castps_si512(_mm512_mul_ps(lanes(outOf(m, b)[c + i], v), factor));
      }
      turn(lines);
      for (int64_t n = 0; n < kLanes && kLanes * v + n < block.queries; n++) {
        const int64_t at = rowAndHead(unit, kBlockQueries * b + kLanes * v + n) * source.valueSize + c;
        _mm512_mask_storeu_epi32(source.out + at, firstOf16(source.valueSize - c), lines[n]);
      }
    }
  }
}

template <class Products>
POCKET_INLINE void attendPrompt(const AttentionUnit& unit) {
  const AttentionSource& source = *unit.source;
  const int64_t queries = (unit.rowTo - unit.rowFrom) * unit.group;
  PromptMemory m = promptMemory(unit.scratch, queries, source.headSize, source.valueSize);
  for (int64_t b = 0; b < m.blocks; b++) {
    beginBlock<Products>(unit, m, b, lesser(queries - kBlockQueries * b, kBlockQueries));
  }
  Products::begin();
  for (int64_t chunk = unit.chunkFrom; chunk < unit.chunkTo; chunk++) {
    attendPromptChunk<Products>(unit, m, chunk * kChunkPositions);
  }
  Products::end();
  for (int64_t b = 0; b < m.blocks; b++) finishBlock(unit, m, b);
}

}  // namespace
