// Matmul for AVX2 with FMA and F16C: activations of eight bits for weights in blocks, f32 for plain numbers.
#include "../../kernels/matmul/float_tile.h"
#include "../../kernels/matmul/int8_tile_avx2.h"

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

#include "../no_lines.h"
#undef POCKET_DEFINE_avx2
#define POCKET_DEFINE_avx2(name, format) \
  void name(const MatmulTile& tile) { tileOf<format_##format>(tile); }
#define POCKET_KERNEL(isa, name, format, rowsAtOnce, order) POCKET_DEFINE_##isa(name, format)
#include "../../kernels/matmul/kernels.inc"
