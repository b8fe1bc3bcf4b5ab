// Attention for AVX-512.
#include "../no_lines.h"
#undef POCKET_DEFINE_avx512vnni
#define POCKET_DEFINE_avx512vnni(name, format) POCKET_DEFINE_ATTENTION(name, format)
#include "../attention_kernels.h"
