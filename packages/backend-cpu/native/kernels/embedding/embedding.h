// embedding, weights in any format, one unit a row of the output.
//
//   out[r, c] = table[ids[r], c]     ids: [rows] i32   table: [vocabulary, cols]   out: [rows, cols] f32
//
// An id that the table does not have comes out as NaN. Decoding rounds as packages/abi/src/formats states it.
#pragma once

#include "../../formats/decode_row.h"
#include "../call.h"

namespace {

struct Embedding {
  enum Size { kVocabulary, kCols, kRowBytes };
};

template <class Format>
POCKET_INLINE void embedding(const Call& call, int64_t from, int64_t to) {
  const int64_t vocabulary = call.size[Embedding::kVocabulary];
  const int64_t cols = call.size[Embedding::kCols];
  const int32_t* ids = static_cast<const int32_t*>(call.in[0]);
  const uint8_t* table = static_cast<const uint8_t*>(call.in[1]);
  for (int64_t r = from; r < to; r++) {
    float* out = static_cast<float*>(call.out[0]) + r * cols;
    if (ids[r] >= 0 && ids[r] < vocabulary) {
      decodeRow<Format>(table + ids[r] * call.size[Embedding::kRowBytes], cols, out);
    } else {
      for (int64_t c = 0; c < cols; c++) out[c] = __builtin_nanf("");
    }
  }
}

}  // namespace
