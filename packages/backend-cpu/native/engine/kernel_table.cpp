// The kernels of every kernels.inc, and the instruction sets that this build has.
#include "kernel_table.h"

#include <cstring>

#include "pocketllm_abi.h"

namespace {

#define POCKET_WEIGHT_FORMAT(name, abiName) constexpr int id_##name = POCKET_FORMAT_##abiName;
#include "../formats/names.inc"
#undef POCKET_WEIGHT_FORMAT

}  // namespace

// Lines of instruction sets that this build leaves out vanish.
#define POCKET_ONLY_scalar(...) __VA_ARGS__
#ifdef POCKET_HAS_AVX2
#define POCKET_ONLY_avx2(...) __VA_ARGS__
#else
#define POCKET_ONLY_avx2(...)
#endif
#ifdef POCKET_HAS_AVX512VNNI
#define POCKET_ONLY_avx512vnni(...) __VA_ARGS__
#else
#define POCKET_ONLY_avx512vnni(...)
#endif
#ifdef POCKET_HAS_NEON
#define POCKET_ONLY_neondot(...) __VA_ARGS__
#define POCKET_ONLY_neoni8mm(...) __VA_ARGS__
#else
#define POCKET_ONLY_neondot(...)
#define POCKET_ONLY_neoni8mm(...)
#endif
#ifdef POCKET_HAS_AVXVNNI
#define POCKET_ONLY_avxvnni(...) __VA_ARGS__
#else
#define POCKET_ONLY_avxvnni(...)
#endif
#ifdef POCKET_HAS_AMX
#define POCKET_ONLY_amx(...) __VA_ARGS__
#else
#define POCKET_ONLY_amx(...)
#endif

#define POCKET_KERNEL(isa, name, format, rowsAtOnce, order) \
  POCKET_ONLY_##isa(void name(const Call& call, int64_t from, int64_t to);)
#include "../kernels/activation/kernels.inc"
#include "../kernels/add/kernels.inc"
#include "../kernels/embedding/kernels.inc"
#include "../kernels/encode/kernels.inc"
#include "../kernels/gated_activation/kernels.inc"
#include "../kernels/layer_norm/kernels.inc"
#include "../kernels/mask_logits/kernels.inc"
#include "../kernels/multiply/kernels.inc"
#include "../kernels/pack_panels/kernels.inc"
#include "../kernels/patches/kernels.inc"
#include "../kernels/pool/kernels.inc"
#include "../kernels/quantize_rows/kernels.inc"
#include "../kernels/relative_importance/kernels.inc"
#include "../kernels/rms_norm/kernels.inc"
#include "../kernels/rope/kernels.inc"
#include "../kernels/rope_angles/kernels.inc"
#include "../kernels/route_experts/kernels.inc"
#include "../kernels/scale/kernels.inc"
#include "../kernels/select_rows/kernels.inc"
#include "../kernels/softcap/kernels.inc"
#include "../kernels/top_k/kernels.inc"
#undef POCKET_KERNEL
#define POCKET_KERNEL(isa, name, format, rowsAtOnce, order) POCKET_ONLY_##isa(void name(const MatmulTile& tile);)
#include "../kernels/matmul/kernels.inc"
#undef POCKET_KERNEL
#define POCKET_KERNEL(isa, name, format, rowsAtOnce, order) POCKET_ONLY_##isa(extern const AttentionKernels name;)
#include "../kernels/attention/kernels.inc"
#undef POCKET_KERNEL

const std::vector<KernelEntry>& kernelTable() {
  static const std::vector<KernelEntry> table = {
#define POCKET_KERNEL(isa, name, format, rowsAtOnce, order) \
  POCKET_ONLY_##isa({#isa, POCKET_OP, #name, #format, id_##format, rowsAtOnce, name, nullptr, nullptr},)
#define POCKET_OP "activation"
#include "../kernels/activation/kernels.inc"
#undef POCKET_OP
#define POCKET_OP "add"
#include "../kernels/add/kernels.inc"
#undef POCKET_OP
#define POCKET_OP "embedding"
#include "../kernels/embedding/kernels.inc"
#undef POCKET_OP
#define POCKET_OP "encode"
#include "../kernels/encode/kernels.inc"
#undef POCKET_OP
#define POCKET_OP "gated_activation"
#include "../kernels/gated_activation/kernels.inc"
#undef POCKET_OP
#define POCKET_OP "layer_norm"
#include "../kernels/layer_norm/kernels.inc"
#undef POCKET_OP
#define POCKET_OP "mask_logits"
#include "../kernels/mask_logits/kernels.inc"
#undef POCKET_OP
#define POCKET_OP "multiply"
#include "../kernels/multiply/kernels.inc"
#undef POCKET_OP
#define POCKET_OP "pack_panels"
#include "../kernels/pack_panels/kernels.inc"
#undef POCKET_OP
#define POCKET_OP "patches"
#include "../kernels/patches/kernels.inc"
#undef POCKET_OP
#define POCKET_OP "pool"
#include "../kernels/pool/kernels.inc"
#undef POCKET_OP
#define POCKET_OP "quantize_rows"
#include "../kernels/quantize_rows/kernels.inc"
#undef POCKET_OP
#define POCKET_OP "relative_importance"
#include "../kernels/relative_importance/kernels.inc"
#undef POCKET_OP
#define POCKET_OP "rms_norm"
#include "../kernels/rms_norm/kernels.inc"
#undef POCKET_OP
#define POCKET_OP "rope"
#include "../kernels/rope/kernels.inc"
#undef POCKET_OP
#define POCKET_OP "rope_angles"
#include "../kernels/rope_angles/kernels.inc"
#undef POCKET_OP
#define POCKET_OP "route_experts"
#include "../kernels/route_experts/kernels.inc"
#undef POCKET_OP
#define POCKET_OP "scale"
#include "../kernels/scale/kernels.inc"
#undef POCKET_OP
#define POCKET_OP "select_rows"
#include "../kernels/select_rows/kernels.inc"
#undef POCKET_OP
#define POCKET_OP "softcap"
#include "../kernels/softcap/kernels.inc"
#undef POCKET_OP
#define POCKET_OP "top_k"
#include "../kernels/top_k/kernels.inc"
#undef POCKET_OP
#undef POCKET_KERNEL
#define POCKET_KERNEL(isa, name, format, rowsAtOnce, order) \
  POCKET_ONLY_##isa({#isa, "matmul", #name, #format, id_##format, rowsAtOnce, nullptr, name, nullptr},)
#include "../kernels/matmul/kernels.inc"
#undef POCKET_KERNEL
#define POCKET_KERNEL(isa, name, format, rowsAtOnce, order) \
  POCKET_ONLY_##isa({#isa, "attention", #name, #format, id_##format, rowsAtOnce, nullptr, nullptr, &name},)
#include "../kernels/attention/kernels.inc"
#undef POCKET_KERNEL
  };
  return table;
}

const char* baseOf(const std::string& isa) {
  if (isa == "amx") return "avx512vnni";
  if (isa == "avx512vnni" || isa == "avxvnni") return "avx2";
  if (isa == "neoni8mm") return "neondot";
  return nullptr;
}

const KernelEntry* findKernel(const std::string& isa, const std::string& op, int format) {
  for (const KernelEntry& entry : kernelTable()) {
    if (entry.format == format && isa == entry.isa && op == entry.op) return &entry;
  }
  const char* base = baseOf(isa);
  return base == nullptr ? nullptr : findKernel(base, op, format);
}
