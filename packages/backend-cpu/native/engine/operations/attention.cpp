// attention and attention_full.
//
// Stage 0 writes the rows' keys and values into the cache. Stage 1 attends: a unit is some rows of a prompt under
// one key head, or one chunk of positions of a row that decodes. Stage 2 merges the chunks of rows that decode.
// attention_full has no cache and no decoding: it is stage 1 alone.
#include "../../kernels/attention/sizes.h"
#include "../operation.h"

namespace {

struct Shape {
  int64_t heads, kvHeads, headSize, valueSize, window, group, tileRows;
  bool cached;
};

int64_t queriesOfUnit(const AttentionKernels& kernels, int64_t group) {
  return group < kernels.queries ? kernels.queries : group;
}

Shape shapeOf(const Operation& operation) {
  const Call& call = operation.call;
  Shape s;
  s.heads = call.size[AttentionSizes::kHeads];
  s.kvHeads = call.size[AttentionSizes::kKvHeads];
  s.headSize = call.size[AttentionSizes::kHeadSize];
  s.valueSize = call.size[AttentionSizes::kValueSize];
  s.window = call.size[AttentionSizes::kWindow];
  s.group = s.heads / s.kvHeads;
  s.tileRows = queriesOfUnit(*operation.attention, s.group) / s.group;
  s.cached = call.cache != nullptr;
  return s;
}

/** Rows that decode are few, so that their positions are shared out among the threads. */
bool splits(const SequenceRows& sequence, const Shape& s) { return sequence.decodes && s.cached; }

int64_t chunksOf(const SequenceRows& sequence) {
  return (sequence.start + sequence.rows + kChunkPositions - 1) / kChunkPositions;
}

/** Units of stage 1 in one sequence. */
int64_t unitsOf(const SequenceRows& sequence, const Shape& s) {
  if (splits(sequence, s)) return sequence.rows * s.kvHeads * chunksOf(sequence);
  return (sequence.rows + s.tileRows - 1) / s.tileRows * s.kvHeads;
}

int64_t floatsOfParts(const SequenceRows& sequence, const Shape& s) {
  return splits(sequence, s) ? sequence.rows * s.heads * chunksOf(sequence) * partFloats(s.valueSize) : 0;
}

template <class Count>
int64_t total(const Call& call, Count count) {
  int64_t sum = 0;
  for (int64_t i = 0; i < call.sequenceCount; i++) sum += count(call.sequences[i]);
  return sum;
}

/** Finds the sequence that unit `unit` falls into; the unit within it, and what is counted before it. */
template <class Count, class Before>
const SequenceRows& find(const Call& call, Count count, Before before, int64_t& unit, int64_t& passed) {
  passed = 0;
  const SequenceRows* sequence = call.sequences;
  for (; unit >= count(*sequence); sequence++) {
    unit -= count(*sequence);
    passed += before(*sequence);
  }
  return *sequence;
}

AttentionSource sourceOf(const Call& call, const Shape& s, const SequenceRows& sequence) {
  AttentionSource source{};
  source.q = static_cast<const float*>(call.in[0]) + sequence.firstRow * s.heads * s.headSize;
  source.out = static_cast<float*>(call.out[0]) + sequence.firstRow * s.heads * s.valueSize;
  source.sinks = static_cast<const float*>(call.in[3]);
  source.heads = s.heads;
  source.kvHeads = s.kvHeads;
  source.headSize = s.headSize;
  source.valueSize = s.valueSize;
  source.scale = static_cast<float>(call.attribute[AttentionSizes::kScale]);
  source.softcap = static_cast<float>(call.attribute[AttentionSizes::kSoftcap]);
  source.window = s.window;
  source.start = sequence.start;
  if (s.cached) {
    source.causal = true;
    source.keys = call.cache->keys;
    source.values = call.cache->values;
    source.pages = sequence.pages;
    source.positions = sequence.start + sequence.rows;
  } else {
    source.keys = static_cast<const uint8_t*>(call.in[1]) + 4 * sequence.firstRow * s.kvHeads * s.headSize;
    source.values = static_cast<const uint8_t*>(call.in[2]) + 4 * sequence.firstRow * s.kvHeads * s.valueSize;
    source.positions = sequence.rows;
  }
  return source;
}

void storeRow(const Operation& operation, const Shape& s, int64_t row) {
  const Call& call = operation.call;
  const SequenceRows* sequence = call.sequences;
  while (row >= sequence->firstRow + sequence->rows) sequence++;
  const int64_t position = sequence->start + row - sequence->firstRow;
  const int64_t page = sequence->pages[position / kPagePositions];
  const int64_t slot = position % kPagePositions;
  const int64_t keyBytes = operation.attention->rowBytes(s.headSize);
  const int64_t valueBytes = operation.attention->rowBytes(s.valueSize);
  const float* k = static_cast<const float*>(call.in[1]) + row * s.kvHeads * s.headSize;
  const float* v = static_cast<const float*>(call.in[2]) + row * s.kvHeads * s.valueSize;
  for (int64_t head = 0; head < s.kvHeads; head++) {
    const int64_t at = (page * s.kvHeads + head) * kPagePositions + slot;
    operation.attention->store(k + head * s.headSize, s.headSize, call.cache->keys + at * keyBytes);
    operation.attention->store(v + head * s.valueSize, s.valueSize, call.cache->values + at * valueBytes);
  }
}

void attendUnit(const Operation& operation, const Shape& s, int64_t unit, uint8_t* scratch) {
  const Call& call = operation.call;
  int64_t partsBefore = 0;
  const SequenceRows& sequence = find(
      call, [&](const SequenceRows& each) { return unitsOf(each, s); },
      [&](const SequenceRows& each) { return floatsOfParts(each, s); }, unit, partsBefore);
  const AttentionSource source = sourceOf(call, s, sequence);
  AttentionUnit work{};
  work.source = &source;
  work.group = s.group;
  work.scratch = scratch;
  work.kvHead = unit % s.kvHeads;
  unit /= s.kvHeads;
  if (splits(sequence, s)) {
    const int64_t chunks = chunksOf(sequence);
    work.rowFrom = unit / chunks;
    work.rowTo = work.rowFrom + 1;
    work.chunkFrom = unit % chunks;
    work.chunkTo = work.chunkFrom + 1;
    // Parts of one sequence: [row, head, chunk].
    const int64_t head = work.rowFrom * s.heads + work.kvHead * s.group;
    float* parts = reinterpret_cast<float*>(call.scratch) + partsBefore;
    work.parts = parts + (head * chunks + work.chunkFrom) * partFloats(s.valueSize);
    work.partStride = chunks * partFloats(s.valueSize);
  } else {
    work.rowFrom = unit * s.tileRows;
    work.rowTo = work.rowFrom + s.tileRows < sequence.rows ? work.rowFrom + s.tileRows : sequence.rows;
    const int64_t oldest = source.window == 0 ? 0 : source.start + work.rowFrom + 1 - source.window;
    const int64_t end = source.causal ? source.start + work.rowTo : source.positions;
    work.chunkFrom = oldest > 0 ? oldest / kChunkPositions : 0;
    work.chunkTo = (end + kChunkPositions - 1) / kChunkPositions;
  }
  operation.attention->attend(work);
}

/** Unit: a query head of a row that decodes. */
void mergeUnit(const Operation& operation, const Shape& s, int64_t unit, uint8_t* scratch) {
  const Call& call = operation.call;
  int64_t partsBefore = 0;
  const SequenceRows& sequence = find(
      call, [&](const SequenceRows& each) { return splits(each, s) ? each.rows * s.heads : 0; },
      [&](const SequenceRows& each) { return floatsOfParts(each, s); }, unit, partsBefore);
  MergeUnit work{};
  work.chunks = chunksOf(sequence);
  work.chunkStride = partFloats(s.valueSize);
  work.parts = reinterpret_cast<const float*>(call.scratch) + partsBefore + unit * work.chunks * work.chunkStride;
  work.valueSize = s.valueSize;
  const float* sinks = static_cast<const float*>(call.in[3]);
  work.sink = sinks == nullptr ? nullptr : sinks + unit % s.heads;
  work.out = static_cast<float*>(call.out[0]) + (sequence.firstRow * s.heads + unit) * s.valueSize;
  work.scratch = scratch;
  operation.attention->merge(work);
}

Work work(const Operation& operation, int stage) {
  const Call& call = operation.call;
  const Shape s = shapeOf(operation);
  if (stage == 0) return {call.size[AttentionSizes::kRows], 8};
  if (stage == 1) return {total(call, [&](const SequenceRows& each) { return unitsOf(each, s); }), 1};
  return {total(call, [&](const SequenceRows& each) { return splits(each, s) ? each.rows * s.heads : 0; }), 4};
}

void compute(const Operation& operation, int stage, int64_t from, int64_t to, uint8_t* scratch) {
  const Shape s = shapeOf(operation);
  for (int64_t unit = from; unit < to; unit++) {
    if (stage == 0) storeRow(operation, s, unit);
    if (stage == 1) attendUnit(operation, s, unit, scratch);
    if (stage == 2) mergeUnit(operation, s, unit, scratch);
  }
}

/** The keys of the first page of a row that decodes, from the first unit's head on. */
Stretch reads(const Operation& operation, int stage, int64_t from, int64_t) {
  const Shape s = shapeOf(operation);
  const SequenceRows& sequence = operation.call.sequences[0];
  if (stage != 1 || !splits(sequence, s) || from >= s.kvHeads) return {nullptr, 0};
  const int64_t headBytes = kPagePositions * operation.attention->rowBytes(s.headSize);
  const uint8_t* page = operation.call.cache->keys + sequence.pages[0] * s.kvHeads * headBytes;
  return {page + from * headBytes, (s.kvHeads - from) * headBytes};
}

int64_t sharedScratch(const Operation& operation) {
  const Shape s = shapeOf(operation);
  return 4 * total(operation.call, [&](const SequenceRows& each) { return floatsOfParts(each, s); });
}

Work workOfFull(const Operation& operation, int) { return work(operation, 1); }

void computeFull(const Operation& operation, int, int64_t from, int64_t to, uint8_t* scratch) {
  compute(operation, 1, from, to, scratch);
}

int64_t threadScratch(const PlannedOp& op) {
  const auto size = [&](AttentionSizes::Size which) { return static_cast<int64_t>(op.size[which]); };
  const int64_t group = size(AttentionSizes::kHeads) / size(AttentionSizes::kKvHeads);
  const AttentionKernels& kernels = *op.kernel->attention;
  return kernels.scratch(queriesOfUnit(kernels, group), size(AttentionSizes::kHeadSize), size(AttentionSizes::kValueSize));
}

}  // namespace

const OperationKind kAttentionOperation = {3, work, compute, reads, sharedScratch, threadScratch};
const OperationKind kAttentionFullOperation = {1, workOfFull, computeFull, readsNothing, noSharedScratch, threadScratch};
