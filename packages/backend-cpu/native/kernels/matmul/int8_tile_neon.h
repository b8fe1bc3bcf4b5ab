// matmul with activations of eight bits, weights in any block format, NEON with dot products or matrix products.
//
//   out[r, o] = sum over runs f of xScale[r, f] * step[o, g(f)] * (sum over i in f of code[o, i] * xCode[r, i])
//             + sum over groups g of low[o, g] * xSum[r, g]
//
// A run is what one instruction sums as integers: four products (sdot), or eight, for two weight rows and two rows of
// x at once (smmla). Activations have a scale for each run (quantize_rows_neon.h). K is whole blocks, rows and outs
// are anything. A weight row is taken apart once for all rows of x, so each byte of it is read once. Codes are at most
// 63 or signed, so both operands are signed bytes. Each sum is one chain over f in each lane, whatever rows and outs
// stand beside it: the same bits come out of every tile.
#pragma once

#include <arm_neon.h>

#include "tile.h"
#include "unpacked_rows.h"

#ifdef __ARM_FEATURE_MATMUL_INT8
#include "int8_sums_i8mm.h"
#else
#include "int8_sums_dot.h"
#endif

namespace {

/** low * xSum over all groups, added up. */
template <class Format>
POCKET_INLINE float lowsOf(const UnpackedRows& w, int n, const QuantizedRow& x, int64_t k) {
  const float* xSums = Format::kGroup == 32 ? x.sumsOf32 : x.sumsOf16;
  f32x8 sum = splat(0.0f);
  for (int64_t g = 0; g < k / Format::kGroup; g += 8) {
    sum = multiplyAdd(load8(w.lows + n * w.stepStride + g), load8(xSums + g), sum);
  }
  return sumOf(sum);
}

template <class Format, int outs>
POCKET_INLINE void int8Outs(const MatmulTile& tile, int64_t o) {
  const int64_t k = tile.inFeatures;
  UnpackedRows w;
  w.stepStride = wholeEights(k / Format::kGroup);
  w.codes = tile.scratch;
  w.steps = reinterpret_cast<float*>(tile.scratch + 4 * k);
  w.lows = w.steps + 4 * w.stepStride;
  const uint8_t* rows = tile.weights + o * tile.rowBytes;
  for (int n = 0; n < outs; n++) {
    const int64_t at = n * w.stepStride;
    unpackRow<Format>(rows + n * tile.rowBytes, k, w.codes + n * k, w.steps + at, w.lows + at);
  }
  QuantizedRow x[kRowsAtOnce];
  float sums[kRowsAtOnce][4];
  for (int64_t r = 0; r < tile.rows; r += kRowsAtOnce) {
    const int count = tile.rows - r < kRowsAtOnce ? static_cast<int>(tile.rows - r) : kRowsAtOnce;
    for (int m = 0; m < kRowsAtOnce; m++) {
      // Beyond the last row its sums are made once more, and left.
      const int64_t at = r + (m < count ? m : count - 1);
      x[m] = quantizedRowAt(tile.x + (tile.xRows != nullptr ? tile.xRows[at] : at) * tile.xRowBytes, k);
    }
    if (count <= kRowsAtOnce / 2) {
      int8Sums<Format, outs, kRowsAtOnce / 2>(w, x, k, sums);
    } else {
      int8Sums<Format, outs, kRowsAtOnce>(w, x, k, sums);
    }
    for (int m = 0; m < count; m++) {
      if constexpr (kHasLows<Format>) {
        for (int n = 0; n < outs; n++) sums[m][n] += lowsOf<Format>(w, n, x[m], k);
      }
      const int64_t row = tile.outRows != nullptr ? tile.outRows[r + m] : r + m;
      memcpy(tile.out + row * tile.outStride + o, sums[m], outs * sizeof(float));
    }
  }
}

template <class Format>
POCKET_INLINE void int8Tile(const MatmulTile& tile) {
  int64_t o = 0;
  for (; o + 4 <= tile.outs; o += 4) int8Outs<Format, 4>(tile, o);
  for (; o < tile.outs; o++) int8Outs<Format, 1>(tile, o);
}

}  // namespace
