// quantize_rows, one unit a row, AMX: rows of prompts as bf16 for tiles, others as the AVX-512 kernels read them.
//
//   x: [rows, cols] f32   out: [rows] rows as matmul/amx/prompt_row.h lays them out, kRowBytes for each
//
// Two kernels: for weights in blocks (rows that decode are rounded to 15 bits; cols is a multiple of 32), and for plain
// numbers (such rows stay floats; cols is anything). In the first, a row with a number that is not finite comes out as NaN, and
// one below 1e-35 as zeros. Bound by memory.
#pragma once

#include "../../matmul/amx/bf16_parts.h"
#include "../../matmul/amx/prompt_row.h"
#include "../quantize_rows_avx512.h"

namespace {

/** The numbers i to i + 15 of a row, zeros behind it. */
POCKET_INLINE __m512 someOf(const float* x, int64_t i, int64_t cols) {
  const int64_t left = cols - i;
  const __mmask16 mask = left >= 16 ? 0xffff : left <= 0 ? 0 : static_cast<__mmask16>((1 << left) - 1);
  return _mm512_maskz_loadu_ps(mask, x + i);
}

/** Where the unit r of a call goes. */
POCKET_INLINE PromptRow rowOf(const Call& call, int64_t r) {
  const int64_t tiled = tiledRows(call.decodes, call.units, call.size[QuantizeRows::kUnitsOfRow]);
  return promptRow(r, tiled, call.size[QuantizeRows::kCols], call.size[QuantizeRows::kRowBytes]);
}

/** The numbers i to i + 15, i a multiple of 16, of a part that begins at `part`. */
POCKET_INLINE void writeNarrowed(uint8_t* part, const PromptRow& row, int64_t i, __m512i upper) {
  uint8_t* to = part + i / kTileNumbers * row.stepBytes + i % kTileNumbers * 2;
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), narrowed(upper));
}

POCKET_INLINE void writeScaled(const float* x, int64_t cols, const PromptRow& row, uint8_t* out) {
  __m512 most[2] = {_mm512_setzero_ps(), _mm512_setzero_ps()};
  for (int64_t i = 0; i < cols; i += 32) {
    // As bits: what is no number stands above infinity, and is not lost.
    for (int half = 0; half < 2; half++) {
      const __m512i size = _mm512_castps_si512(_mm512_abs_ps(_mm512_loadu_ps(x + i + 16 * half)));
      most[half] = _mm512_castsi512_ps(_mm512_max_epi32(_mm512_castps_si512(most[half]), size));
    }
  }
  const RoundedScale by = scaleOf(most[0], most[1], 1.0f);
  for (int64_t i = 0; i < cols; i += 16) {
    writeNarrowed(out + row.at, row, i, upperBf16OfAny(_mm512_mul_ps(_mm512_loadu_ps(x + i), by.inverse)));
  }
  memcpy(out + row.scaleAt, &by.scale, sizeof by.scale);
}

POCKET_INLINE void writeParts(const float* x, int64_t cols, const PromptRow& row, uint8_t* out) {
  for (int64_t i = 0; i < wholeSteps(cols); i += 16) {
    const __m512 numbers = someOf(x, i, cols);
    const __m512i upper = upperBf16OfAny(numbers);
    writeNarrowed(out + row.at, row, i, upper);
    writeNarrowed(out + row.at + row.partBytes, row, i, upperBf16OfAny(restOfAny(numbers, upper)));
  }
}

POCKET_INLINE bool isDecoded(const Call& call, int64_t row) {
  return call.decodes != nullptr && call.decodes[row / call.size[QuantizeRows::kUnitsOfRow]];
}

POCKET_INLINE void roundRowsForBlocks(const Call& call, int64_t from, int64_t to) {
  const int64_t cols = call.size[QuantizeRows::kCols];
  for (int64_t r = from; r < to; r++) {
    if (isDecoded(call, r)) {
      quantize_rows(call, r, r + 1);
    } else {
      const float* x = static_cast<const float*>(call.in[0]) + r * cols;
      writeScaled(x, cols, rowOf(call, r), static_cast<uint8_t*>(call.out[0]));
    }
  }
}

POCKET_INLINE void splitRowsForPlainNumbers(const Call& call, int64_t from, int64_t to) {
  const int64_t cols = call.size[QuantizeRows::kCols];
  for (int64_t r = from; r < to; r++) {
    const float* x = static_cast<const float*>(call.in[0]) + r * cols;
    uint8_t* out = static_cast<uint8_t*>(call.out[0]);
    if (isDecoded(call, r)) {
      memcpy(out + r * call.size[QuantizeRows::kRowBytes], x, static_cast<size_t>(cols) * sizeof(float));
    } else {
      writeParts(x, cols, rowOf(call, r), out);
    }
  }
}

}  // namespace
