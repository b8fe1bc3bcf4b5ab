// What a matmul kernel computes: some rows of x times some rows of the weight.
//
//   out[outRow(r), o] = sum over i of weight[o, i] * x[xRow(r), i]     0 <= r < rows, 0 <= o < outs
//
// Used by matmul (rows as they stand) and by matmul_experts (rows gathered by expert).
#pragma once

#include <cstdint>

struct MatmulTile {
  /** The first weight row, and bytes from one to the next. In panels where the kernel's table says so. */
  const uint8_t* weights;
  int64_t rowBytes;
  int64_t outs;
  int64_t inFeatures;
  /** Rows of f32, or of codes as the quantize_rows of this instruction set writes them where the format has blocks. */
  const uint8_t* x;
  int64_t xRowBytes;
  int64_t rows;
  /** Rows of x, from its first on, that stand as tiles (amx/tiled_rows.h). */
  int64_t tiledRows;
  /** Row r is row xRows[r] of x and outRows[r] of out; r itself where null. */
  const int32_t* xRows;
  const int32_t* outRows;
  /** Whether the rows are those of sequences that decode; kernels on panels alone use other arithmetic for these. */
  bool fine;
  /** Column 0 of the tile in row 0; floats from one row to the next. */
  float* out;
  int64_t outStride;
  /**
   * Memory of this thread, aligned to 64: kTileScratchPerFeature * inFeatures + kTileScratch bytes, or, where weights
   * stand in panels, kPanelTileScratch.
   */
  uint8_t* scratch;
};

constexpr int64_t kTileScratchPerFeature = 4 * sizeof(float);
constexpr int64_t kTileScratch = 4096;
/** Rows of one tile where weights stand in panels. */
constexpr int64_t kPanelTileRows = 512;
constexpr int64_t kPanelTileScratch = 1136 << 10;
/** Bytes behind weights in panels that kernels may read, and ignore. */
constexpr int64_t kTouchRoom = 8 << 10;

typedef void (*MatmulKernel)(const MatmulTile& tile);
