// The one range kernel that AVX-VNNI has for itself: rows of activations for the kernels of matmul.
#include "../../kernels/quantize_rows/avxvnni/quantize_rows_avxvnni.h"
#include "../no_lines.h"

#undef POCKET_DEFINE_avxvnni
#define POCKET_DEFINE_avxvnni(name, format) \
  void name(const Call& call, int64_t from, int64_t to) { roundRowsByPhase(call, from, to); }
#define POCKET_KERNEL(isa, name, format, rowsAtOnce, order) POCKET_DEFINE_##isa(name, format)
#include "../../kernels/quantize_rows/kernels.inc"
