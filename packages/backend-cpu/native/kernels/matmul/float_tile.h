// matmul in f32, weights in any format, four weight rows at once.
//
//   out[r, o] = sum over i of w[o, i] * x[r, i]     w: [outs, K] any format   x: [rows, K] f32   out: f32
//
// Blocks are decoded once for all rows of x; plain numbers are read in place for one row. K is whole blocks; rows
// and outs are anything. Each sum runs in eight lanes over i in one chain, whatever the rows and outs beside it,
// so the same bits come out of every tile. One row: bound by memory (plain) or decoding; many rows: by FMA.
#pragma once

#include "../../formats/decode_row.h"
#include "tile.h"

namespace {

/** Rows of x in one pass: as many as leave the sums in registers. */
#ifdef __AVX2__
constexpr int kFloatRows = 3;
#else
constexpr int kFloatRows = 1;
#endif

/** Asks for the weights 8 and 24 KB on, the latter into the second-level cache; four rows of 1024 halves are 8 KB. */
POCKET_INLINE void askAhead(const void* weights) {
  const char* near = static_cast<const char*>(weights) + (8 << 10);
  const char* far = near + (16 << 10);
#if defined(__x86_64__)
  // Where it stands: the compiler would gather all such instructions in front of a loop.
  __asm__ volatile("prefetcht0 %0\n\tprefetcht1 %1" ::"m"(*near), "m"(*far));
#else
  __builtin_prefetch(near);
  __builtin_prefetch(far, 0, 2);
#endif
}

/** sums[m][n] = the dot product of x[m] and row n of w, n < outs and m < rowCount, both constants. */
template <class Weights, int outs, int rowCount>
POCKET_INLINE void dotTile(const typename Weights::Number* w, int64_t wStride, const float* const* x, int64_t k,
                           float (*sums)[4]) {
  f32x8 acc[outs][rowCount] = {};
  constexpr int64_t kLine = 64 / sizeof(typename Weights::Number);
  int64_t i = 0;
  const auto addEight = [&](int64_t at) __attribute__((always_inline)) {
#pragma GCC unroll 4
    for (int n = 0; n < outs; n++) {
      const f32x8 weight = Weights::load(w + n * wStride + at);
#pragma GCC unroll 4
      for (int m = 0; m < rowCount; m++) acc[n][m] = multiplyAdd(weight, load8(x[m] + at), acc[n][m]);
    }
  };
  if constexpr (rowCount == 1) {
    // One row waits for its weights; several have more to do.
    for (; i + kLine <= k; i += kLine) {
#pragma GCC unroll 4
      for (int n = 0; n < outs; n++) askAhead(w + n * wStride + i);
#pragma GCC unroll 4
      for (int64_t j = 0; j < kLine; j += 8) addEight(i + j);
    }
  }
  for (; i + 8 <= k; i += 8) addEight(i);
  if (i < k) {
    for (int n = 0; n < outs; n++) {
      const f32x8 weight = loadPartOf<Weights>(w + n * wStride + i, k - i);
      for (int m = 0; m < rowCount; m++) acc[n][m] = multiplyAdd(weight, loadPart(x[m] + i, k - i), acc[n][m]);
    }
  }
  for (int n = 0; n < outs; n++) {
    for (int m = 0; m < rowCount; m++) sums[m][n] = sumOf(acc[n][m]);
  }
}

/** All rows of x with `outs` weight rows, which are numbers of `Weights`. */
template <class Weights, int outs>
POCKET_INLINE void dotRows(const MatmulTile& tile, const typename Weights::Number* w, int64_t wStride, int64_t o) {
  const float* x[kFloatRows];
  float sums[kFloatRows][4];
  for (int64_t r = 0; r < tile.rows;) {
    const int count = tile.rows - r >= kFloatRows ? kFloatRows : 1;
    for (int m = 0; m < count; m++) {
      const int64_t row = tile.xRows != nullptr ? tile.xRows[r + m] : r + m;
      x[m] = reinterpret_cast<const float*>(tile.x + row * tile.xRowBytes);
    }
    if (count == 1) {
      dotTile<Weights, outs, 1>(w, wStride, x, tile.inFeatures, sums);
    } else {
      dotTile<Weights, outs, kFloatRows>(w, wStride, x, tile.inFeatures, sums);
    }
    for (int m = 0; m < count; m++, r++) {
      const int64_t row = tile.outRows != nullptr ? tile.outRows[r] : r;
      memcpy(tile.out + row * tile.outStride + o, sums[m], outs * sizeof(float));
    }
  }
}

template <class Format, int outs>
POCKET_INLINE void floatOuts(const MatmulTile& tile, int64_t o) {
  const uint8_t* rows = tile.weights + o * tile.rowBytes;
  const int64_t k = tile.inFeatures;
  if constexpr (Format::kPlain) {
    typedef typename Format::Number Number;
    if (tile.rows <= 2 || sizeof(Number) == sizeof(float)) {
      const int64_t stride = tile.rowBytes / static_cast<int64_t>(sizeof(Number));
      return dotRows<Format, outs>(tile, reinterpret_cast<const Number*>(rows), stride, o);
    }
  }
  float* decoded = reinterpret_cast<float*>(tile.scratch);
  for (int n = 0; n < outs; n++) decodeRow<Format>(rows + n * tile.rowBytes, k, decoded + n * k);
  dotRows<format_f32, outs>(tile, decoded, k, o);
}

template <class Format>
POCKET_INLINE void floatTile(const MatmulTile& tile) {
  int64_t o = 0;
  for (; o + 4 <= tile.outs; o += 4) floatOuts<Format, 4>(tile, o);
  for (; o < tile.outs; o++) floatOuts<Format, 1>(tile, o);
}

}  // namespace
