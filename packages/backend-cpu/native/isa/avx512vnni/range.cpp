// Range kernels for AVX-512.
#include "../no_lines.h"
#undef POCKET_DEFINE_avx512vnni
#define POCKET_DEFINE_avx512vnni(name, format) POCKET_DEFINE_RANGE(name, format)
#include "../range_kernels.h"
