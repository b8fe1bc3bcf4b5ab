// Range kernels for NEON with dot products.
#include "../no_lines.h"
#undef POCKET_DEFINE_neondot
#define POCKET_DEFINE_neondot(name, format) POCKET_DEFINE_RANGE(name, format)
#include "../range_kernels.h"
