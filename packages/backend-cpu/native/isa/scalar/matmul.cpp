// Matmul for any processor of the architecture: activations stay f32.
#include "../../kernels/matmul/float_tile.h"

#define POCKET_DEFINE_scalar(name, format) \
  void name(const MatmulTile& tile) { floatTile<format_##format>(tile); }
#define POCKET_DEFINE_avx2(name, format)
#define POCKET_KERNEL(isa, name, format, rowsAtOnce, order) POCKET_DEFINE_##isa(name, format)
#include "../../kernels/matmul/kernels.inc"
