// Every op that works through a range of rows or elements, defined for the instruction set that the including file
// is compiled for. The file says which lines of the tables are its own (no_lines.h).
#pragma once

#include "../kernels/activation/activation.h"
#include "../kernels/add/add.h"
#include "../kernels/embedding/embedding.h"
#include "../kernels/gated_activation/gated_activation.h"
#include "../kernels/layer_norm/layer_norm.h"
#include "../kernels/mask_logits/mask_logits.h"
#include "../kernels/multiply/multiply.h"
#include "../kernels/pack_panels/pack_panels.h"
#include "../kernels/patches/patches.h"
#include "../kernels/pool/pool.h"
#include "../kernels/rms_norm/rms_norm.h"
#include "../kernels/rope/rope.h"
#include "../kernels/route_experts/route_experts.h"
#include "../kernels/scale/scale.h"
#include "../kernels/select_rows/select_rows.h"
#include "../kernels/softcap/softcap.h"
#include "../kernels/top_k/top_k.h"
#if defined(__AVX512VNNI__)
#include "../kernels/quantize_rows/quantize_rows_avx512.h"
#elif defined(__AVX2__)
#include "../kernels/quantize_rows/quantize_rows_avx2.h"
#elif defined(__ARM_FEATURE_DOTPROD)
#include "../kernels/quantize_rows/quantize_rows_neon.h"
#endif

#define POCKET_DEFINE_RANGE(name, format) \
  void name(const Call& call, int64_t from, int64_t to) { POCKET_BODY(format)(call, from, to); }
#define POCKET_KERNEL(isa, name, format, rowsAtOnce, order) POCKET_DEFINE_##isa(name, format)

#define POCKET_BODY(format) activation
#include "../kernels/activation/kernels.inc"
#undef POCKET_BODY
#define POCKET_BODY(format) add
#include "../kernels/add/kernels.inc"
#undef POCKET_BODY
#define POCKET_BODY(format) gated_activation
#include "../kernels/gated_activation/kernels.inc"
#undef POCKET_BODY
#define POCKET_BODY(format) layer_norm
#include "../kernels/layer_norm/kernels.inc"
#undef POCKET_BODY
#define POCKET_BODY(format) mask_logits
#include "../kernels/mask_logits/kernels.inc"
#undef POCKET_BODY
#define POCKET_BODY(format) multiply
#include "../kernels/multiply/kernels.inc"
#undef POCKET_BODY
#define POCKET_BODY(format) patches
#include "../kernels/patches/kernels.inc"
#undef POCKET_BODY
#define POCKET_BODY(format) pool
#include "../kernels/pool/kernels.inc"
#undef POCKET_BODY
#define POCKET_BODY(format) quantize_rows
#include "../kernels/quantize_rows/kernels.inc"
#undef POCKET_BODY
#define POCKET_BODY(format) rms_norm
#include "../kernels/rms_norm/kernels.inc"
#undef POCKET_BODY
#define POCKET_BODY(format) rope
#include "../kernels/rope/kernels.inc"
#undef POCKET_BODY
#define POCKET_BODY(format) rope_angles
#include "../kernels/rope_angles/kernels.inc"
#undef POCKET_BODY
#define POCKET_BODY(format) route_experts
#include "../kernels/route_experts/kernels.inc"
#undef POCKET_BODY
#define POCKET_BODY(format) scale
#include "../kernels/scale/kernels.inc"
#undef POCKET_BODY
#define POCKET_BODY(format) select_rows
#include "../kernels/select_rows/kernels.inc"
#undef POCKET_BODY
#define POCKET_BODY(format) softcap
#include "../kernels/softcap/kernels.inc"
#undef POCKET_BODY
#define POCKET_BODY(format) top_k
#include "../kernels/top_k/kernels.inc"
#undef POCKET_BODY
#define POCKET_BODY(format) embedding<format_##format>
#include "../kernels/embedding/kernels.inc"
#undef POCKET_BODY
#define POCKET_BODY(format) pack_panels<format_##format>
#include "../kernels/pack_panels/kernels.inc"
#undef POCKET_BODY
