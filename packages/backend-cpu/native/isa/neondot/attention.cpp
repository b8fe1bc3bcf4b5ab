// Attention for NEON with dot products.
#include "../no_lines.h"
#undef POCKET_DEFINE_neondot
#define POCKET_DEFINE_neondot(name, format) POCKET_DEFINE_ATTENTION(name, format)
#include "../attention_kernels.h"
