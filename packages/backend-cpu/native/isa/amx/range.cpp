// The one range kernel that AMX has for itself: rows of activations for the kernels of matmul.
#include "../../kernels/quantize_rows/amx/quantize_rows_amx.h"
#include "../no_lines.h"

namespace {

/** By the weights that read the rows. */
POCKET_INLINE void roundRows_f32(const Call& call, int64_t from, int64_t to) { roundRowsForBlocks(call, from, to); }
POCKET_INLINE void roundRows_bf16(const Call& call, int64_t from, int64_t to) {
  splitRowsForPlainNumbers(call, from, to);
}

}  // namespace

#undef POCKET_DEFINE_amx
#define POCKET_DEFINE_amx(name, format) \
  void name(const Call& call, int64_t from, int64_t to) { roundRows_##format(call, from, to); }
#define POCKET_KERNEL(isa, name, format, rowsAtOnce, order) POCKET_DEFINE_##isa(name, format)
#include "../../kernels/quantize_rows/kernels.inc"
