// matmul with activations of eight bits, weights in any block format, four weight rows at once, AVX2.
//
//   out[r, o] = sum over fours f of xScale[r, f] * step[o, g(f)] * (sum over i in f of code[o, i] * xCode[r, i])
//             + sum over groups g of low[o, g] * xSum[r, g]
//
// w: [outs, K] blocks   x: [rows, K] codes as quantized_row.h lays them out   out: f32. K is whole blocks, rows
// and outs are anything. A weight row is unpacked once for all rows of x (into L1 for the usual K), so each byte
// of it is read once. Products of bytes add in pairs to 16 bits: unsigned codes are at most 63, signed ones at
// least -128 against activations within 127, so no pair overflows. Each sum runs in eight lanes over f in one
// chain, whatever the rows and outs beside it: the same bits come out of every tile.
// One row: bound by memory. Many rows: six instructions for 32 products.
#pragma once

#include <immintrin.h>

#include "../../formats/decode_row.h"
#ifdef POCKET_AVXVNNI
#include "avxvnni/dot.h"
#endif
#include "direct_avx2.h"
#include "quantized_row.h"
#include "tile.h"
#include "unpacked_rows.h"

namespace {

/** Rows of x in one pass. */
constexpr int kInt8Rows = 2;

/** Steps of the 32 weights of group pair g, one for each lane of four weights. */
template <class Format>
POCKET_INLINE __m256 stepsOf(const float* steps, int64_t g) {
  if constexpr (Format::kGroup == 32) {
    return _mm256_broadcast_ss(steps + g);
  } else {
    return _mm256_blend_ps(_mm256_broadcast_ss(steps + 2 * g), _mm256_broadcast_ss(steps + 2 * g + 1), 0xf0);
  }
}

/** Eight sums of four products each: the same numbers on AVX2 and on AVX-VNNI. */
template <class Format>
POCKET_INLINE __m256i products(__m256i w, __m256i magnitudeOfW, __m256i x) {
  const __m256i a = Format::kSigned ? magnitudeOfW : w;
  const __m256i b = Format::kSigned ? _mm256_sign_epi8(x, w) : x;
#ifdef POCKET_AVXVNNI
  return addFourProducts(_mm256_setzero_si256(), a, b);
#else
  return _mm256_madd_epi16(_mm256_maddubs_epi16(a, b), _mm256_set1_epi16(1));
#endif
}

/** sumOf of each of four: the same additions in the same order. */
POCKET_INLINE __m128 sumsOfFour(__m256 a, __m256 b, __m256 c, __m256 d) {
  const __m256 fours = _mm256_hadd_ps(_mm256_hadd_ps(a, b), _mm256_hadd_ps(c, d));
  return _mm_add_ps(_mm256_castps256_ps128(fours), _mm256_extractf128_ps(fours, 1));
}

/** Adds low * xSum of all groups, eight groups at a time. */
template <class Format, int outs, int rowCount>
POCKET_INLINE void addLows(const UnpackedRows& w, const QuantizedRow* x, int64_t k, __m256 (*acc)[rowCount]) {
  if constexpr (kHasLows<Format>) {
    for (int64_t g = 0; g < k / Format::kGroup; g += 8) {
      for (int n = 0; n < outs; n++) {
        const __m256 lows = _mm256_loadu_ps(w.lows + n * w.stepStride + g);
        for (int m = 0; m < rowCount; m++) {
          const float* xSums = Format::kGroup == 32 ? x[m].sumsOf32 : x[m].sumsOf16;
          acc[n][m] = _mm256_fmadd_ps(lows, _mm256_loadu_ps(xSums + g), acc[n][m]);
        }
      }
    }
  }
}

template <int outs, int rowCount>
POCKET_INLINE void sumLanes(__m256 (*acc)[rowCount], float (*sums)[4]) {
  for (int m = 0; m < rowCount; m++) {
    if constexpr (outs == 4) {
      _mm_storeu_ps(sums[m], sumsOfFour(acc[0][m], acc[1][m], acc[2][m], acc[3][m]));
    } else {
      for (int n = 0; n < outs; n++) sums[m][n] = sumOf((f32x8)acc[n][m]);
    }
  }
}

template <class Format, int outs, int rowCount>
POCKET_INLINE void int8Dots(const UnpackedRows& w, const QuantizedRow* x, int64_t k, float (*sums)[4]) {
  __m256 acc[outs][rowCount];
#pragma GCC unroll 4
  for (int n = 0; n < outs; n++) {
#pragma GCC unroll 4
    for (int m = 0; m < rowCount; m++) acc[n][m] = _mm256_setzero_ps();
  }
  for (int64_t g = 0; g < k / 32; g++) {
    __m256i codes[rowCount];
    __m256 scales[rowCount];
#pragma GCC unroll 4
    for (int m = 0; m < rowCount; m++) {
      codes[m] = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(x[m].codes + 32 * g));
      scales[m] = _mm256_loadu_ps(x[m].scales + 8 * g);
    }
#pragma GCC unroll 4
    for (int n = 0; n < outs; n++) {
      const __m256i weights = _mm256_load_si256(reinterpret_cast<const __m256i*>(w.codes + n * k + 32 * g));
      const __m256i size = Format::kSigned ? _mm256_abs_epi8(weights) : weights;
      const __m256 steps = stepsOf<Format>(w.steps + n * w.stepStride, g);
#pragma GCC unroll 4
      for (int m = 0; m < rowCount; m++) {
        const __m256 sum = _mm256_cvtepi32_ps(products<Format>(weights, size, codes[m]));
        acc[n][m] = _mm256_fmadd_ps(sum, _mm256_mul_ps(steps, scales[m]), acc[n][m]);
      }
    }
  }
  addLows<Format, outs, rowCount>(w, x, k, acc);
  sumLanes<outs, rowCount>(acc, sums);
}

/** int8Dots of one row of x, from blocks: `rows` is the first weight row. Steps and lows go through w's memory. */
template <class Format, int outs>
POCKET_INLINE void directDots(const uint8_t* rows, int64_t rowBytes, const UnpackedRows& w, const QuantizedRow& x,
                              int64_t k, float (*sums)[4]) {
  constexpr int kGroups = Format::kWeights / Format::kGroup;
  const int64_t blocks = k / Format::kWeights;
  __m256 acc[outs][1];
#pragma GCC unroll 4
  for (int n = 0; n < outs; n++) acc[n][0] = _mm256_setzero_ps();
  for (int64_t b = 0; b < blocks; b++) {
#pragma GCC unroll 4
    for (int n = 0; n < outs; n++) {
      const auto& block = reinterpret_cast<const typename Format::Block*>(rows + n * rowBytes)[b];
      float* steps = w.steps + n * w.stepStride + b * kGroups;
      float* lows = w.lows + n * w.stepStride + b * kGroups;
      Format::unpackSteps(block, steps, lows);
      // The same place of the next rows: several rows at once are no stream that the processor would see.
      _mm_prefetch(reinterpret_cast<const char*>(&block) + outs * rowBytes, _MM_HINT_T0);
      if constexpr (sizeof(block) > 128) {
        _mm_prefetch(reinterpret_cast<const char*>(&block) + outs * rowBytes + 64, _MM_HINT_T0);
        _mm_prefetch(reinterpret_cast<const char*>(&block) + outs * rowBytes + 128, _MM_HINT_T0);
      }
#pragma GCC unroll 8
      for (int g = 0; g < Format::kWeights / 32; g++) {
        const int64_t at = b * (Format::kWeights / 32) + g;
        const __m256i weights = groupCodes(block, g);
        const __m256i size = Format::kSigned ? _mm256_abs_epi8(weights) : weights;
        const __m256 sum = _mm256_cvtepi32_ps(products<Format>(weights, size, load32(x.codes + 32 * at)));
        const __m256 scales = _mm256_loadu_ps(x.scales + 8 * at);
        acc[n][0] = _mm256_fmadd_ps(sum, _mm256_mul_ps(stepsOf<Format>(steps, g), scales), acc[n][0]);
      }
    }
  }
  for (int n = 0; n < outs; n++) {
    float* lows = w.lows + n * w.stepStride;
    if constexpr (Format::kZero != 0) lowsOfZero<Format>(w.steps + n * w.stepStride, blocks * kGroups, lows);
    if constexpr (kHasLows<Format>) clearPadding(lows, blocks * kGroups);
  }
  addLows<Format, outs, 1>(w, &x, k, acc);
  sumLanes<outs, 1>(acc, sums);
}

template <class Format, int outs>
POCKET_INLINE void int8Outs(const MatmulTile& tile, int64_t o) {
  const int64_t k = tile.inFeatures;
  UnpackedRows w;
  w.stepStride = wholeEights(k / Format::kGroup);
  w.codes = tile.scratch;
  w.steps = reinterpret_cast<float*>(tile.scratch + 4 * k);
  w.lows = w.steps + 4 * w.stepStride;
  QuantizedRow x[kInt8Rows];
  float sums[kInt8Rows][4];
  const uint8_t* rows = tile.weights + o * tile.rowBytes;
  if constexpr (kIsDirect<Format>) {
    if (tile.rows == 1) {
      x[0] = quantizedRowAt(tile.x + (tile.xRows != nullptr ? tile.xRows[0] : 0) * tile.xRowBytes, k);
      directDots<Format, outs>(rows, tile.rowBytes, w, x[0], k, sums);
      const int64_t row = tile.outRows != nullptr ? tile.outRows[0] : 0;
      memcpy(tile.out + row * tile.outStride + o, sums[0], outs * sizeof(float));
      return;
    }
  }
  for (int n = 0; n < outs; n++) {
    const int64_t at = n * w.stepStride;
    unpackRow<Format>(rows + n * tile.rowBytes, k, w.codes + n * k, w.steps + at, w.lows + at);
  }
  for (int64_t r = 0; r < tile.rows;) {
    const int count = tile.rows - r >= kInt8Rows ? kInt8Rows : 1;
    for (int m = 0; m < count; m++) {
      const int64_t row = tile.xRows != nullptr ? tile.xRows[r + m] : r + m;
      x[m] = quantizedRowAt(tile.x + row * tile.xRowBytes, k);
    }
    if (count == 1) {
      int8Dots<Format, outs, 1>(w, x, k, sums);
    } else {
      int8Dots<Format, outs, kInt8Rows>(w, x, k, sums);
    }
    for (int m = 0; m < count; m++, r++) {
      const int64_t row = tile.outRows != nullptr ? tile.outRows[r] : r;
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
