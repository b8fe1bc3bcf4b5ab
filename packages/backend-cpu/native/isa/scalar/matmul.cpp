// Matmul for any processor of the architecture: activations stay f32.
#include "../../kernels/matmul/float_tile.h"
#include "../no_lines.h"
#define POCKET_TILE floatTile
#undef POCKET_DEFINE_scalar
#define POCKET_DEFINE_scalar(name, format) POCKET_DEFINE_MATMUL(name, format)
#include "../matmul_kernels.h"
