// Matmul for NEON with dot products: activations of eight bits for weights in blocks, f32 for plain numbers.
#include "../../kernels/matmul/int8_tile_neon.h"
#include "../no_lines.h"
#define POCKET_BLOCK_TILE int8Tile
#undef POCKET_DEFINE_neondot
#define POCKET_DEFINE_neondot(name, format) POCKET_DEFINE_MATMUL(name, format)
#include "../matmul_kernels.h"
