// Matmul for any processor of the architecture: activations stay f32.
#include "../../kernels/matmul/float_tile.h"

#include "../no_lines.h"
#undef POCKET_DEFINE_scalar
#define POCKET_DEFINE_scalar(name, format) \
  void name(const MatmulTile& tile) { floatTile<format_##format>(tile); }
#define POCKET_KERNEL(isa, name, format, rowsAtOnce, order) POCKET_DEFINE_##isa(name, format)
#include "../../kernels/matmul/kernels.inc"
