// encode in every format, and what it reads, defined for the instruction set that the including file is compiled for. The
// file says which lines of the tables are its own (no_lines.h).
#pragma once

#include "../kernels/encode/encode.h"
#include "../kernels/relative_importance/relative_importance.h"

#define POCKET_DEFINE_RANGE(name, format) \
  void name(const Call& call, int64_t from, int64_t to) { POCKET_BODY(format)(call, from, to); }
#define POCKET_KERNEL(isa, name, format, rowsAtOnce, order) POCKET_DEFINE_##isa(name, format)

#define POCKET_BODY(format) encode<encoder_##format>
#include "../kernels/encode/kernels.inc"
#undef POCKET_BODY
#define POCKET_BODY(format) relative_importance
#include "../kernels/relative_importance/kernels.inc"
#undef POCKET_BODY
