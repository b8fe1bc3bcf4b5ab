// The matmul kernels, defined for the instruction set that the including file is compiled for. The file says which
// lines of the table are its own (no_lines.h), and what becomes of a tile: POCKET_BLOCK_TILE names the template for
// weights in blocks, beside which plain numbers are done in f32; or POCKET_TILE the one for all formats.
#pragma once

#ifndef POCKET_TILE
#include "../kernels/matmul/float_tile.h"

namespace {

template <class Format>
POCKET_INLINE void plainOrBlockTile(const MatmulTile& tile) {
  if constexpr (Format::kPlain) {
    floatTile<Format>(tile);
  } else {
    POCKET_BLOCK_TILE<Format>(tile);
  }
}

}  // namespace

#define POCKET_TILE plainOrBlockTile
#endif

#define POCKET_DEFINE_MATMUL(name, format) \
  void name(const MatmulTile& tile) { POCKET_TILE<format_##format>(tile); }
#define POCKET_KERNEL(isa, name, format, rowsAtOnce, order) POCKET_DEFINE_##isa(name, format)
#include "../kernels/matmul/kernels.inc"
