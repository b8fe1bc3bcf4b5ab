// quantize_rows, one unit a row, AMX: rows of prompts as bf16 for tiles, others as the AVX-512 kernels read them.
//
//   x: [rows, cols] f32   out: [rows] rows as matmul/amx/prompt_row.h lays them out, with kRowBytes from one to the next
//
// Two kernels: for weights in blocks (rows that decode are rounded to 15 bits; cols is a multiple of 32), and for plain
// numbers (such rows stay floats; cols is anything). Bound by memory.
#pragma once

#include "../../matmul/amx/bf16_parts.h"
#include "../../matmul/amx/prompt_row.h"
#include "../quantize_rows_avx512.h"

namespace {

/** The high part of a row, and its low one where `low` is not null; both to the end of the last step. */
POCKET_INLINE void writeParts(const float* x, int64_t cols, uint8_t* high, uint8_t* low) {
  for (int64_t i = 0; i < wholeSteps(cols); i += 16) {
    const int64_t left = cols - i;
    const __mmask16 mask = left >= 16 ? 0xffff : left <= 0 ? 0 : static_cast<__mmask16>((1 << left) - 1);
    const __m512 numbers = _mm512_maskz_loadu_ps(mask, x + i);
    const __m512i upper = upperBf16OfAny(numbers);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(high + 2 * i), narrowed(upper));
    if (low == nullptr) continue;
    const __m512i rest = upperBf16OfAny(restOfAny(numbers, upper));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(low + 2 * i), narrowed(rest));
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
      writeParts(x, cols, static_cast<uint8_t*>(call.out[0]) + r * call.size[QuantizeRows::kRowBytes], nullptr);
    }
  }
}

POCKET_INLINE void splitRowsForPlainNumbers(const Call& call, int64_t from, int64_t to) {
  const int64_t cols = call.size[QuantizeRows::kCols];
  for (int64_t r = from; r < to; r++) {
    const float* x = static_cast<const float*>(call.in[0]) + r * cols;
    uint8_t* row = static_cast<uint8_t*>(call.out[0]) + r * call.size[QuantizeRows::kRowBytes];
    if (isDecoded(call, r)) {
      memcpy(row, x, static_cast<size_t>(cols) * sizeof(float));
    } else {
      writeParts(x, cols, row, row + lowPartAt(cols));
    }
  }
}

}  // namespace
