// Matmul for AVX-512 VNNI: rounded activations for weights in blocks, which stand in panels; f32 for plain numbers.
#include "../../kernels/matmul/avx512/panel_matmul.h"
#include "../no_lines.h"
#define POCKET_BLOCK_TILE panelTile
#undef POCKET_DEFINE_avx512vnni
#define POCKET_DEFINE_avx512vnni(name, format) POCKET_DEFINE_MATMUL(name, format)
#include "../matmul_kernels.h"
