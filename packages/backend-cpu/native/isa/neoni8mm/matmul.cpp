// Matmul for NEON with products of 8-bit matrices: activations of eight bits for weights in blocks, f32 for plain numbers.
#include "../../kernels/matmul/int8_tile_neon.h"
#include "../no_lines.h"
#define POCKET_BLOCK_TILE int8Tile
#undef POCKET_DEFINE_neoni8mm
#define POCKET_DEFINE_neoni8mm(name, format) POCKET_DEFINE_MATMUL(name, format)
#include "../matmul_kernels.h"
