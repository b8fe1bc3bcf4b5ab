// Attention for any processor of the architecture.
#define POCKET_DEFINE_scalar(name, format) POCKET_DEFINE_ATTENTION(name, format)
#define POCKET_DEFINE_avx2(name, format)
#include "../attention_kernels.h"
