// Range kernels for any processor of the architecture.
#define POCKET_DEFINE_scalar(name, format) POCKET_DEFINE_RANGE(name, format)
#define POCKET_DEFINE_avx2(name, format)
#include "../range_kernels.h"
