// Encoders for 64-bit ARM with DotProd.
#include "../no_lines.h"
#undef POCKET_DEFINE_neondot
#define POCKET_DEFINE_neondot(name, format) POCKET_DEFINE_RANGE(name, format)
#include "../encode_kernels.h"
