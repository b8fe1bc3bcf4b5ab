// Encoders for any processor of the architecture.
#include "../no_lines.h"
#undef POCKET_DEFINE_scalar
#define POCKET_DEFINE_scalar(name, format) POCKET_DEFINE_RANGE(name, format)
#include "../encode_kernels.h"
