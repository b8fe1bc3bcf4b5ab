// Attention for any processor of the architecture.
#include "../no_lines.h"
#undef POCKET_DEFINE_scalar
#define POCKET_DEFINE_scalar(name, format) POCKET_DEFINE_ATTENTION(name, format)
#include "../attention_kernels.h"
