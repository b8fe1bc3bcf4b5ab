#pragma once

#include <string>
#include <vector>

#include "../kernels/attention/unit.h"
#include "../kernels/call.h"
#include "../kernels/matmul/tile.h"

/** One line of a kernels.inc. The one of the three that the op has is set. */
struct KernelEntry {
  const char* isa;
  const char* op;
  const char* name;
  const char* formatName;
  /** GGUF type id. */
  int format;
  RangeKernel range;
  MatmulKernel matmul;
  const AttentionKernels* attention;
};

/** Every kernel in this build. */
const std::vector<KernelEntry>& kernelTable();

/** Null where there is none. */
const KernelEntry* findKernel(const std::string& isa, const std::string& op, int format);
