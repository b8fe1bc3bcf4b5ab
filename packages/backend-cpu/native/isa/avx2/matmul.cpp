// Matmul for AVX2 with FMA and F16C: rounded activations for weights in blocks, which stand in panels; f32 for plain
// numbers.
#include "../../kernels/matmul/avx2/panel_matmul.h"
#include "../no_lines.h"
#define POCKET_BLOCK_TILE panelTile
#undef POCKET_DEFINE_avx2
#define POCKET_DEFINE_avx2(name, format) POCKET_DEFINE_MATMUL(name, format)
#include "../matmul_kernels.h"
