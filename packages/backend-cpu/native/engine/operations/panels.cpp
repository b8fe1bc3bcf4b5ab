// Weights in panels of 16 rows (formats/panels.h). The rows at the end of a matrix that fill no panel stay as they are.
#include <algorithm>
#include <cstring>

#include "../../formats/panel_rows.h"
#include "../../kernels/matmul/sizes.h"
#include "../operation.h"

namespace {

constexpr int64_t blocks(int64_t n, int64_t size) { return (n + size - 1) / size; }

int64_t rowBytesOf(const PlannedOp& op) { return static_cast<int64_t>(op.size[MatmulSizes::kRowBytes]); }

}  // namespace

bool isByPhase(const PlannedOp& op) { return op.kernel->rowsAtOnce >= kPanelRows; }

int64_t tileScratch(const PlannedOp& op) {
  // A panel at the end that is not full is packed at each use, behind what the kernel needs.
  if (op.pack != nullptr) return kPanelTileScratch + 2 * kPanelRows * rowBytesOf(op) + kTouchRoom;
  const int64_t plain = kTileScratchPerFeature * static_cast<int64_t>(op.size[MatmulSizes::kInFeatures]) + kTileScratch;
  return isByPhase(op) ? std::max(plain, kPanelTileScratch) : plain;
}

void packPanels(const PlannedOp& op, const uint8_t* rows, int64_t rowCount, uint8_t* out, uint8_t* scratch) {
  Call call{};
  call.in[0] = rows;
  call.out[0] = out;
  call.size[0] = rowBytesOf(op);
  call.size[1] = rowCount;
  call.threadScratch = scratch;
  op.pack->range(call, 0, blocks(rowCount, kPanelRows));
}

void multiplyWeights(const PlannedOp& op, MatmulTile tile, const uint8_t* matrix, int64_t firstOut, int64_t outFeatures) {
  tile.weights = matrix + firstOut * tile.rowBytes;
  if (op.pack == nullptr) return op.kernel->matmul(tile);
  const int64_t packed = outFeatures / kPanelRows * kPanelRows;
  const int64_t full = packed - firstOut < tile.outs ? packed - firstOut : tile.outs;
  const int64_t rest = tile.outs - full;
  if (full > 0) {
    tile.outs = full;
    op.kernel->matmul(tile);
  }
  if (rest == 0) return;
  uint8_t* panel = tile.scratch + kPanelTileScratch;
  packPanels(op, tile.weights + full * tile.rowBytes, rest, panel, panel + kPanelRows * tile.rowBytes);
  tile.weights = panel;
  tile.outs = rest;
  tile.out += full;
  op.kernel->matmul(tile);
}
