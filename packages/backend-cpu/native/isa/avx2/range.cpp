// Range kernels for AVX2 with FMA and F16C.
#define POCKET_DEFINE_scalar(name, format)
#define POCKET_DEFINE_avx2(name, format) POCKET_DEFINE_RANGE(name, format)
#include "../range_kernels.h"
