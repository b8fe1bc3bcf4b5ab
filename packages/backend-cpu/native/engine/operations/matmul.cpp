// matmul: out[r, o] = (sum over i of weight[o, i] * x[r, i]) * weightScale + bias[o]
//
// Units are blocks of rows times blocks of weight rows; the weight rows of a block are taken apart once for its rows,
// whose activations stay in the second-level cache meanwhile. Kernels that do rows by phase get pairs of panels, or as
// many weight rows, each for all rows, so that weights are read once.
#include <algorithm>

#include "../../kernels/matmul/amx/tiled_rows.h"
#include "../../kernels/matmul/sizes.h"
#include "../operation.h"

namespace {

constexpr int64_t kRowBlock = 64;
constexpr int64_t kOutBlock = 32;
/** Blocks that a thread does at once, where kernels do rows by phase: as many as leave four portions for each thread. */
constexpr int64_t kLeastPortion = 2;
constexpr int64_t kMostPortion = 8;
constexpr int64_t kPortionsOfThread = 4;

int64_t blocks(int64_t n, int64_t size) { return (n + size - 1) / size; }

Work work(const Operation& operation, int) {
  const Call& call = operation.call;
  const int64_t outBlocks = blocks(call.size[MatmulSizes::kOutFeatures], kOutBlock);
  if (isByPhase(*operation.planned)) {
    const int64_t portion = outBlocks / (kPortionsOfThread * operation.threads);
    const int64_t most = operation.promptRows > 0 ? kMostPortion : kLeastPortion;
    return {call.size[MatmulSizes::kRows] == 0 ? 0 : outBlocks, std::clamp(portion, kLeastPortion, most)};
  }
  return {blocks(call.size[MatmulSizes::kRows], kRowBlock) * outBlocks, 1};
}

/** Applies the tensor's scale and the bias to what the kernel has summed. */
void finishTile(const Call& call, const MatmulTile& tile, int64_t firstOut) {
  const float* bias = static_cast<const float*>(call.in[2]);
  const float* weightScale = static_cast<const float*>(call.in[3]);
  if (bias == nullptr && weightScale == nullptr) return;
  const float scale = weightScale == nullptr ? 1.0f : *weightScale;
  for (int64_t r = 0; r < tile.rows; r++) {
    float* out = tile.out + (tile.outRows != nullptr ? tile.outRows[r] : r) * tile.outStride;
    for (int64_t o = 0; o < tile.outs; o++) {
      out[o] = out[o] * scale + (bias == nullptr ? 0.0f : bias[firstOut + o]);
    }
  }
}

/** A tile of all rows and the weight rows of so many blocks. */
MatmulTile tileOf(const Call& call, int64_t firstOut, int64_t blocks, uint8_t* scratch) {
  const int64_t outFeatures = call.size[MatmulSizes::kOutFeatures];
  MatmulTile tile{};
  tile.rowBytes = call.size[MatmulSizes::kRowBytes];
  tile.outs = std::min(outFeatures - firstOut, blocks * kOutBlock);
  tile.inFeatures = call.size[MatmulSizes::kInFeatures];
  tile.xRowBytes = call.size[MatmulSizes::kXRowBytes];
  tile.x = static_cast<const uint8_t*>(call.in[0]);
  tile.rows = call.size[MatmulSizes::kRows];
  tile.tiledRows = tiledRows(call.decodes, tile.rows, 1);
  tile.outStride = outFeatures;
  tile.out = static_cast<float*>(call.out[0]) + firstOut;
  tile.scratch = scratch;
  return tile;
}

/** Rows from <= row < to of the call, first those of prompts. All are of one phase. */
void multiplyRows(const Operation& operation, MatmulTile tile, int64_t firstOut, int64_t from, int64_t to, bool fine) {
  tile.fine = fine;
  for (int64_t row = from; row < to; row += kPanelTileRows) {
    MatmulTile some = tile;
    some.rows = to - row < kPanelTileRows ? to - row : kPanelTileRows;
    if (operation.rowsByPhase != nullptr) {
      some.xRows = some.outRows = operation.rowsByPhase + row;
    } else {
      some.x += row * tile.xRowBytes;
      some.tiledRows -= row;
      some.out += row * tile.outStride;
    }
    multiplyWeights(*operation.planned, some, static_cast<const uint8_t*>(operation.call.in[1]), firstOut,
                    tile.outStride);
    finishTile(operation.call, some, firstOut);
  }
}

void compute(const Operation& operation, int, int64_t from, int64_t to, uint8_t* scratch) {
  const Call& call = operation.call;
  const int64_t rows = call.size[MatmulSizes::kRows];
  const int64_t outBlocks = blocks(call.size[MatmulSizes::kOutFeatures], kOutBlock);
  if (isByPhase(*operation.planned)) {
    const int64_t firstOut = from * kOutBlock;
    const MatmulTile tile = tileOf(call, firstOut, to - from, scratch);
    multiplyRows(operation, tile, firstOut, 0, operation.promptRows, false);
    multiplyRows(operation, tile, firstOut, operation.promptRows, rows, true);
    return;
  }
  for (int64_t unit = from; unit < to; unit++) {
    const int64_t firstOut = unit % outBlocks * kOutBlock;
    MatmulTile tile = tileOf(call, firstOut, 1, scratch);
    const int64_t row = unit / outBlocks * kRowBlock;
    tile.weights = static_cast<const uint8_t*>(call.in[1]) + firstOut * tile.rowBytes;
    tile.x += row * tile.xRowBytes;
    tile.out += row * tile.outStride;
    tile.rows = rows - row < kRowBlock ? rows - row : kRowBlock;
    operation.kernel->matmul(tile);
    finishTile(call, tile, firstOut);
  }
}

Stretch reads(const Operation& operation, int, int64_t from, int64_t to) {
  const Call& call = operation.call;
  const int64_t outFeatures = call.size[MatmulSizes::kOutFeatures];
  const int64_t firstOut = from % blocks(outFeatures, kOutBlock) * kOutBlock;
  const int64_t outs = std::min(outFeatures - firstOut, (to - from) * kOutBlock);
  const int64_t rowBytes = call.size[MatmulSizes::kRowBytes];
  return {static_cast<const uint8_t*>(call.in[1]) + firstOut * rowBytes, outs * rowBytes};
}

}  // namespace

const OperationKind kMatmulOperation = {1, work, compute, reads, noSharedScratch, tileScratch};
