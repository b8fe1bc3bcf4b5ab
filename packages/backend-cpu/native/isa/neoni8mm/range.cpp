// Range kernels for NEON with products of 8-bit matrices.
#include "../no_lines.h"
#undef POCKET_DEFINE_neoni8mm
#define POCKET_DEFINE_neoni8mm(name, format) POCKET_DEFINE_RANGE(name, format)
#include "../range_kernels.h"
