// Matmul for AVX-512 VNNI: rounded activations for weights in blocks, which stand in panels; f32 for plain numbers.
#include "../../kernels/matmul/avx512/panel_matmul.h"
#include "../../kernels/matmul/float_tile.h"
#include "../no_lines.h"

namespace {

template <class Format>
POCKET_INLINE void tileOf(const MatmulTile& tile) {
  if constexpr (Format::kPlain) {
    floatTile<Format>(tile);
  } else {
    panelTile<Format>(tile);
  }
}

}  // namespace

#undef POCKET_DEFINE_avx512vnni
#define POCKET_DEFINE_avx512vnni(name, format) \
  void name(const MatmulTile& tile) { tileOf<format_##format>(tile); }
#define POCKET_KERNEL(isa, name, format, rowsAtOnce, order) POCKET_DEFINE_##isa(name, format)
#include "../../kernels/matmul/kernels.inc"
