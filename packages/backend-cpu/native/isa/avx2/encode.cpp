// Encoders for AVX2 with FMA and F16C.
#include "../no_lines.h"
#undef POCKET_DEFINE_avx2
#define POCKET_DEFINE_avx2(name, format) POCKET_DEFINE_RANGE(name, format)
#include "../encode_kernels.h"
