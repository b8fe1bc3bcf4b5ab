// matmul: out[r, o] = (sum over i of weight[o, i] * x[r, i]) * weightScale + bias[o]
//
// Units are blocks of rows times blocks of weight rows; the weight rows of a block are taken apart once for its
// rows, whose activations stay in the second-level cache meanwhile.
#include "../../kernels/matmul/sizes.h"
#include "../operation.h"

namespace {

constexpr int64_t kRowBlock = 64;
constexpr int64_t kOutBlock = 32;

int64_t blocks(int64_t n, int64_t size) { return (n + size - 1) / size; }

Work work(const Operation& operation, int) {
  const Call& call = operation.call;
  return {blocks(call.size[MatmulSizes::kRows], kRowBlock) * blocks(call.size[MatmulSizes::kOutFeatures], kOutBlock), 1};
}

/** Applies the tensor's scale and the bias to what the kernel has summed. */
void finishTile(const Call& call, const MatmulTile& tile, int64_t firstOut) {
  const float* bias = static_cast<const float*>(call.in[2]);
  const float* weightScale = static_cast<const float*>(call.in[3]);
  if (bias == nullptr && weightScale == nullptr) return;
  const float scale = weightScale == nullptr ? 1.0f : *weightScale;
  for (int64_t r = 0; r < tile.rows; r++) {
    float* out = tile.out + r * tile.outStride;
    for (int64_t o = 0; o < tile.outs; o++) {
      out[o] = out[o] * scale + (bias == nullptr ? 0.0f : bias[firstOut + o]);
    }
  }
}

void compute(const Operation& operation, int, int64_t from, int64_t to, uint8_t* scratch) {
  const Call& call = operation.call;
  const int64_t rows = call.size[MatmulSizes::kRows];
  const int64_t outFeatures = call.size[MatmulSizes::kOutFeatures];
  const int64_t outBlocks = blocks(outFeatures, kOutBlock);
  for (int64_t unit = from; unit < to; unit++) {
    const int64_t row = unit / outBlocks * kRowBlock;
    const int64_t firstOut = unit % outBlocks * kOutBlock;
    MatmulTile tile{};
    tile.rowBytes = call.size[MatmulSizes::kRowBytes];
    tile.weights = static_cast<const uint8_t*>(call.in[1]) + firstOut * tile.rowBytes;
    tile.outs = outFeatures - firstOut < kOutBlock ? outFeatures - firstOut : kOutBlock;
    tile.inFeatures = call.size[MatmulSizes::kInFeatures];
    tile.xRowBytes = call.size[MatmulSizes::kXRowBytes];
    tile.x = static_cast<const uint8_t*>(call.in[0]) + row * tile.xRowBytes;
    tile.rows = rows - row < kRowBlock ? rows - row : kRowBlock;
    tile.outStride = outFeatures;
    tile.out = static_cast<float*>(call.out[0]) + row * outFeatures + firstOut;
    tile.scratch = scratch;
    operation.kernel->matmul(tile);
    finishTile(call, tile, firstOut);
  }
}

}  // namespace

int64_t tileScratch(const PlannedOp& op) {
  return kTileScratchPerFeature * static_cast<int64_t>(op.size[MatmulSizes::kInFeatures]) + kTileScratch;
}

const OperationKind kMatmulOperation = {1, work, compute, noSharedScratch, tileScratch};
