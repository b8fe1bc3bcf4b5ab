// Matmul for AVX2 with FMA and F16C: activations of eight bits for weights in blocks, f32 for plain numbers.
#include "../../kernels/matmul/int8_tile_avx2.h"
#include "../no_lines.h"
#define POCKET_BLOCK_TILE int8Tile
#undef POCKET_DEFINE_avx2
#define POCKET_DEFINE_avx2(name, format) POCKET_DEFINE_MATMUL(name, format)
#include "../matmul_kernels.h"
