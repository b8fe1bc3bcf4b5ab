// Matmul for NEON with products of 8-bit matrices: activations of eight bits for weights in blocks, f32 for plain numbers.
#include "../../kernels/matmul/float_tile.h"
#include "../../kernels/matmul/int8_tile_neon.h"
#include "../no_lines.h"

namespace {

template <class Format>
POCKET_INLINE void tileOf(const MatmulTile& tile) {
  if constexpr (Format::kPlain) {
    floatTile<Format>(tile);
  } else {
    int8Tile<Format>(tile);
  }
}

}  // namespace

#undef POCKET_DEFINE_neoni8mm
#define POCKET_DEFINE_neoni8mm(name, format) \
  void name(const MatmulTile& tile) { tileOf<format_##format>(tile); }
#define POCKET_KERNEL(isa, name, format, rowsAtOnce, order) POCKET_DEFINE_##isa(name, format)
#include "../../kernels/matmul/kernels.inc"
