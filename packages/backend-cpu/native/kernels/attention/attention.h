// attention over the paged cache, and attention_full over the rows of the step.
//
//   out[r, h] = sum over p of softmax(scale * q[r, h] . key[p, h / group])[p] * value[p, h / group]
//
// q: [rows, heads, headSize] f32   keys, values: f32, f16 or q8_0 by the cache   out: [rows, heads, valueSize] f32
//
// Keys are taken in chunks of kChunkPositions at fixed positions of the sequence: each chunk is a softmax of its
// own, and chunks merge in order. So it makes no difference to the bits whether one thread does all chunks of a
// row (prompts) or several do one each (answers), nor which rows share a tile. Any sizes; q8_0 needs multiples
// of 32. Prompts are bound by FMA, answers by reading the cache.
#pragma once

#include "online_softmax.h"

namespace {

/** Query heads of rows in one unit: enough to read keys once for many, few enough for the cache. */
constexpr int64_t kPairedQueries = 16;

constexpr int64_t attentionScratch(int64_t queries, int64_t, int64_t valueSize) {
  return queries * (64 + 2 * 4 * ((valueSize + 7) / 8 * 8));
}

POCKET_INLINE void keepPart(const SoftmaxPart& part, int64_t valueSize, float* to) {
  to[0] = part.most;
  to[1] = part.sum;
  memcpy(to + 2, part.out, static_cast<size_t>(valueSize) * sizeof(float));
}

/** Merges the stored parts of one query in order and finishes it. */
POCKET_INLINE void mergeParts(const MergeUnit& unit) {
  const int64_t room = (unit.valueSize + 7) / 8 * 8;
  SoftmaxPart total = {0, 0, reinterpret_cast<float*>(unit.scratch)};
  clear(total, unit.valueSize);
  for (int64_t chunk = 0; chunk < unit.chunks; chunk++) {
    const float* stored = unit.parts + chunk * unit.chunkStride;
    SoftmaxPart part = {stored[0], stored[1], total.out + room};
    memcpy(part.out, stored + 2, static_cast<size_t>(unit.valueSize) * sizeof(float));
    merge(total, part, unit.valueSize);
  }
  finish(total, unit.sink, unit.valueSize, unit.out);
}

/** Attends to one chunk for all queries; queries[i] is head i % group of row rows.from + i / group. */
template <class Stored>
POCKET_INLINE void attendChunk(const AttentionUnit& unit, const AttentionShape& shape, int64_t chunk, Query* queries,
                               int64_t count) {
  const AttentionSource& source = *unit.source;
  const int64_t last = sightOf(source, unit.rowTo - 1).to;
  const int64_t chunkEnd = (chunk + 1) * kChunkPositions;
  const int64_t end = last < chunkEnd ? last : chunkEnd;
  for (int64_t page = chunk * kChunkPositions; page < end; page += kPagePositions) {
    const KeyRun run = keysAt<Stored>(source, unit.kvHead, page);
    for (int64_t i = 0; i < count;) {
      const Sight sight = sightInPage(source, unit.rowFrom + i / unit.group, page);
      bool pair = false;
      if (i + 1 < count) {
        const Sight next = sightInPage(source, unit.rowFrom + (i + 1) / unit.group, page);
        pair = next.from == sight.from && next.to == sight.to;
      }
      Query* both[2] = {queries + i, queries + i + 1};
      if (sight.from < sight.to) {
        if (pair) {
          attendRun<Stored, 2>(both, shape, run, sight.from, sight.to);
        } else {
          attendRun<Stored, 1>(both, shape, run, sight.from, sight.to);
        }
      }
      i += pair ? 2 : 1;
    }
  }
}

template <class Stored>
POCKET_INLINE void attend(const AttentionUnit& unit) {
  const AttentionSource& source = *unit.source;
  const AttentionShape shape = {source.headSize, source.valueSize, source.scale, source.softcap};
  const int64_t room = (shape.valueSize + 7) / 8 * 8;
  const int64_t count = (unit.rowTo - unit.rowFrom) * unit.group;
  Query* queries = reinterpret_cast<Query*>(unit.scratch);
  SoftmaxPart* totals = reinterpret_cast<SoftmaxPart*>(queries + count);
  float* out = reinterpret_cast<float*>(totals + count);
  for (int64_t i = 0; i < count; i++) {
    const int64_t row = unit.rowFrom + i / unit.group;
    const int64_t head = unit.kvHead * unit.group + i % unit.group;
    queries[i].q = source.q + (row * source.heads + head) * shape.headSize;
    queries[i].part.out = out + 2 * i * room;
    totals[i].out = out + (2 * i + 1) * room;
    clear(totals[i], shape.valueSize);
  }
  for (int64_t chunk = unit.chunkFrom; chunk < unit.chunkTo; chunk++) {
    for (int64_t i = 0; i < count; i++) clear(queries[i].part, shape.valueSize);
    attendChunk<Stored>(unit, shape, chunk, queries, count);
    for (int64_t i = 0; i < count; i++) {
      if (unit.parts == nullptr) {
        merge(totals[i], queries[i].part, shape.valueSize);
      } else {
        keepPart(queries[i].part, shape.valueSize, unit.parts + i * unit.partStride);
      }
    }
  }
  if (unit.parts != nullptr) return;
  for (int64_t i = 0; i < count; i++) {
    const int64_t head = unit.kvHead * unit.group + i % unit.group;
    const int64_t row = unit.rowFrom + i / unit.group;
    const float* sink = source.sinks == nullptr ? nullptr : source.sinks + head;
    finish(totals[i], sink, shape.valueSize, source.out + (row * source.heads + head) * shape.valueSize);
  }
}

}  // namespace
