// matmul_experts: each row times the matrices of its chosen experts.
//
//   y[r, s, o] = sum over i of weight[ids[r, s], o, i] * x[r, s mod inputGroups, i]
//   out[r, g, o] = sum over s = g, g + outputGroups, ... of routing[r, s] * y[r, s, o]
//
// The pairs (r, s) are sorted by expert, those of prompts first, so that a matrix is read once for all its rows; then a
// unit is some weight rows of one expert. Which rows an expert has changes nothing in their sums. An id that is no
// expert gives NaN.
#include <cmath>
#include <cstring>

#include "../../kernels/matmul/amx/tiled_rows.h"
#include "../../kernels/matmul/sizes.h"
#include "../operation.h"

namespace {

constexpr int64_t kOutBlock = 32;
constexpr int64_t kOutPortion = 1024;

/** The pairs of a step, in the memory that all threads share. */
struct Pairs {
  /** Pairs of expert e stand at first[2 e] <= i < first[2 e + 2]; those that decode from first[2 e + 1] on. */
  int32_t* first;
  /** Row of x, and row of y, of each pair. */
  int32_t* xRows;
  int32_t* yRows;
  float* y;
};

struct Sizes {
  int64_t rows, inFeatures, outFeatures, slots, experts, inputGroups, outputGroups, pairs, outBlocks;
};

Sizes sizesOf(const Call& call) {
  Sizes s;
  s.rows = call.size[MatmulSizes::kRows];
  s.inFeatures = call.size[MatmulSizes::kInFeatures];
  s.outFeatures = call.size[MatmulSizes::kOutFeatures];
  s.slots = call.size[MatmulExpertsSizes::kSlots];
  s.experts = static_cast<int64_t>(call.attribute[MatmulExpertsSizes::kExperts]);
  s.inputGroups = static_cast<int64_t>(call.attribute[MatmulExpertsSizes::kInputGroups]);
  s.outputGroups = static_cast<int64_t>(call.attribute[MatmulExpertsSizes::kOutputGroups]);
  s.pairs = s.rows * s.slots;
  s.outBlocks = (s.outFeatures + kOutBlock - 1) / kOutBlock;
  return s;
}

Pairs pairsOf(const Call& call, const Sizes& s) {
  Pairs pairs;
  pairs.first = reinterpret_cast<int32_t*>(call.scratch);
  pairs.xRows = pairs.first + 2 * s.experts + 1;
  pairs.yRows = pairs.xRows + s.pairs;
  pairs.y = reinterpret_cast<float*>(pairs.yRows + s.pairs);
  return pairs;
}

int64_t sharedScratch(const Operation& operation) {
  const Sizes s = sizesOf(operation.call);
  return 4 * (2 * s.experts + 1 + 2 * s.pairs + s.pairs * s.outFeatures);
}

Work work(const Operation& operation, int stage) {
  const Sizes s = sizesOf(operation.call);
  if (stage == 0) return {1, 1};
  if (stage == 1) return {s.experts * s.outBlocks, 1};
  return {s.rows * s.outputGroups * s.outFeatures, kOutPortion};
}

void sortPairs(const Call& call, const Sizes& s) {
  const Pairs pairs = pairsOf(call, s);
  const int32_t* ids = static_cast<const int32_t*>(call.in[2]);
  const int64_t lists = 2 * s.experts;
  memset(pairs.first, 0, static_cast<size_t>(lists + 1) * sizeof(int32_t));
  const auto isExpert = [&](int32_t id) { return id >= 0 && id < s.experts; };
  const auto listOf = [&](int64_t i) {
    return 2 * ids[i] + (call.decodes != nullptr && call.decodes[i / s.slots] ? 1 : 0);
  };
  for (int64_t i = 0; i < s.pairs; i++) {
    if (isExpert(ids[i])) pairs.first[listOf(i) + 1]++;
  }
  for (int64_t l = 0; l < lists; l++) pairs.first[l + 1] += pairs.first[l];
  // Each list is filled from its start; afterwards the starts have moved to the ends, one list too far.
  for (int64_t i = 0; i < s.pairs; i++) {
    if (!isExpert(ids[i])) {
      for (int64_t o = 0; o < s.outFeatures; o++) pairs.y[i * s.outFeatures + o] = NAN;
      continue;
    }
    const int32_t at = pairs.first[listOf(i)]++;
    pairs.xRows[at] = static_cast<int32_t>(i / s.slots * s.inputGroups + i % s.slots % s.inputGroups);
    pairs.yRows[at] = static_cast<int32_t>(i);
  }
  for (int64_t l = lists; l > 0; l--) pairs.first[l] = pairs.first[l - 1];
  pairs.first[0] = 0;
}

void multiply(const Operation& operation, const Sizes& s, int64_t unit, uint8_t* scratch) {
  const Call& call = operation.call;
  const Pairs pairs = pairsOf(call, s);
  const int64_t expert = unit / s.outBlocks;
  const int64_t firstOut = unit % s.outBlocks * kOutBlock;
  MatmulTile tile{};
  tile.rowBytes = call.size[MatmulSizes::kRowBytes];
  const uint8_t* matrix = static_cast<const uint8_t*>(call.in[1]) + expert * s.outFeatures * tile.rowBytes;
  tile.outs = s.outFeatures - firstOut < kOutBlock ? s.outFeatures - firstOut : kOutBlock;
  tile.inFeatures = s.inFeatures;
  tile.x = static_cast<const uint8_t*>(call.in[0]);
  tile.xRowBytes = call.size[MatmulSizes::kXRowBytes];
  tile.tiledRows = tiledRows(call.decodes, s.rows * s.inputGroups, s.inputGroups);
  tile.out = pairs.y + firstOut;
  tile.outStride = s.outFeatures;
  tile.scratch = scratch;
  for (int phase = 0; phase < 2; phase++) {
    const int32_t* list = pairs.first + 2 * expert + phase;
    tile.fine = phase == 1;
    for (int32_t from = list[0]; from < list[1]; from += kPanelTileRows) {
      tile.rows = list[1] - from < kPanelTileRows ? list[1] - from : kPanelTileRows;
      tile.xRows = pairs.xRows + from;
      tile.outRows = pairs.yRows + from;
      multiplyWeights(*operation.planned, tile, matrix, firstOut, s.outFeatures);
    }
  }
}

void sumSlots(const Call& call, const Sizes& s, int64_t from, int64_t to) {
  const float* y = pairsOf(call, s).y;
  const float* routing = s.outputGroups == 1 ? static_cast<const float*>(call.in[3]) : nullptr;
  float* out = static_cast<float*>(call.out[0]);
  for (int64_t at = from; at < to; at++) {
    const int64_t o = at % s.outFeatures;
    const int64_t group = at / s.outFeatures % s.outputGroups;
    const int64_t row = at / s.outFeatures / s.outputGroups;
    float sum = 0;
    for (int64_t slot = group; slot < s.slots; slot += s.outputGroups) {
      const int64_t pair = row * s.slots + slot;
      sum += (routing == nullptr ? 1.0f : routing[pair]) * y[pair * s.outFeatures + o];
    }
    out[at] = sum;
  }
}

void compute(const Operation& operation, int stage, int64_t from, int64_t to, uint8_t* scratch) {
  const Sizes s = sizesOf(operation.call);
  if (stage == 0) return sortPairs(operation.call, s);
  if (stage == 2) return sumSlots(operation.call, s, from, to);
  for (int64_t unit = from; unit < to; unit++) multiply(operation, s, unit, scratch);
}

}  // namespace

const OperationKind kMatmulExpertsOperation = {3, work, compute, readsNothing, sharedScratch, tileScratch};
