// encode, to any weight format; a unit is kEncodeUnit weights of a row.
//
//   out[r, :] = blocks that come close to x[r, :] in squared error, weighted by importance
//
//   x: [rows, cols] f32   importance: [cols] f32 as relative_importance gives it, or null   out: rows of blocks
//
// The search is that of packages/reference/src/encoders, in single precision: small blocks and the sub-blocks of large
// ones stand side by side, one in each lane (lanes.h), but where points of a grid are compared. A format whose rule leaves
// no choice (plain_blocks.h) has the same bytes everywhere. In formats with blocks a weight that is not finite is refused,
// and its unit is left as zeros.
#pragma once

#include "../call.h"
#include "../refusal.h"
#include "affine_blocks.h"
#include "affine_super_blocks.h"
#include "plain_blocks.h"
#include "scaled_blocks.h"
#include "scaled_super_blocks.h"
#include "shifted_grids.h"
#include "signed_grids.h"
#include "sizes.h"
#include "ternary.h"

namespace {

/** Whole blocks of n weights, all finite where the format has blocks. */
template <class Encoder>
void encodeUnit(const float* x, const float* importance, int n, typename Encoder::Block* out) {
  for (int b = 0; b * Encoder::kWeights < n; b += Encoder::kAtOnce) {
    const int left = n / Encoder::kWeights - b;
    const int from = b * Encoder::kWeights;
    Encoder::encode(x + from, importance + from, left < Encoder::kAtOnce ? left : Encoder::kAtOnce, out + b);
  }
}

template <class Encoder>
void encode(const Call& call, int64_t from, int64_t to) {
  typedef typename Encoder::Block Block;
  const int64_t cols = call.size[EncodeSizes::kCols];
  const int64_t rowBytes = call.size[EncodeSizes::kRowBytes];
  const int64_t unitsEach = (cols + kEncodeUnit - 1) / kEncodeUnit;
  const float* importance = static_cast<const float*>(call.in[1]);
  alignas(32) float ones[kEncodeUnit];
  for (float& one : ones) one = 1;
  for (int64_t unit = from; unit < to; unit++) {
    const int64_t row = unit / unitsEach;
    const int64_t column = unit % unitsEach * kEncodeUnit;
    const int n = static_cast<int>(cols - column < kEncodeUnit ? cols - column : kEncodeUnit);
    const float* x = static_cast<const float*>(call.in[0]) + row * cols + column;
    uint8_t* bytes = static_cast<uint8_t*>(call.out[0]) + row * rowBytes;
    Block* out = reinterpret_cast<Block*>(bytes) + column / Encoder::kWeights;
    if (Encoder::kWeights > 1 && !areFinite(x, n)) {
      int i = 0;
      while (isFinite(x[i])) i++;
      refuse(call, row, column + i, x[i]);
      memset(static_cast<void*>(out), 0, sizeof(Block) * static_cast<size_t>(n / Encoder::kWeights));
      continue;
    }
    encodeUnit<Encoder>(x, importance == nullptr ? ones : importance + column, n, out);
  }
}

}  // namespace
