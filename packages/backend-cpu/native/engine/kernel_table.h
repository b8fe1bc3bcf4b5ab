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
  /** The number of the kernels.inc. */
  int rowsAtOnce;
  RangeKernel range;
  MatmulKernel matmul;
  const AttentionKernels* attention;
};

/** Every kernel in this build. */
const std::vector<KernelEntry>& kernelTable();

/** The instruction set whose kernels another one takes where it has none of its own; null where there is no such. */
const char* baseOf(const std::string& isa);

/** The kernel that an instruction set uses: its own, else that of its base. Null where there is none. */
const KernelEntry* findKernel(const std::string& isa, const std::string& op, int format);
