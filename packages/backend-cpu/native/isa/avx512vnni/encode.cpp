// Encoders for AVX-512 with VNNI: those that compare many points of a grid. The others are those of AVX2.
#include "../no_lines.h"
#undef POCKET_DEFINE_avx512vnni
#define POCKET_DEFINE_avx512vnni(name, format) POCKET_DEFINE_RANGE(name, format)
#include "../encode_kernels.h"
