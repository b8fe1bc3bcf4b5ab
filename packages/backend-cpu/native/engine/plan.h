// A compiled program as TypeScript hands it over (src/plan/records.ts): one record of doubles for each op. Integers
// in doubles are exact to 2^53.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernel_table.h"

/** How the work of an op is cut up. The numbers stand in src/plan/records.ts too. */
enum class OpKind { kRange = 0, kMatmul = 1, kMatmulExperts = 2, kAttention = 3, kAttentionFull = 4 };

/** A size that may change from step to step: a number, or one of the two negative ones. */
constexpr double kStepRows = -1;
constexpr double kStepOutputs = -2;

struct PlannedOp {
  OpKind kind;
  const KernelEntry* kernel;
  /** matmul: stores the weight's rows as the kernel reads them; null where it reads them as they are. */
  const KernelEntry* pack;
  /** 0 where absent, value v as v + 1, weight w as -w - 1. */
  int64_t in[6];
  int64_t out[2];
  double size[6];
  double attribute[6];
  /** Range kernels: units are leadingUnits * unitsEach, in portions of `portion`. */
  double leadingUnits;
  int64_t unitsEach;
  int64_t portion;
  /** Index of the cache layer; -1 where there is none. */
  int64_t cacheLayer;
};

constexpr int64_t kRecordNumbers = 27;

struct Plan {
  std::vector<PlannedOp> ops;
  /** Byte of each value within the arena. */
  std::vector<int64_t> valueOffsets;
  int64_t arenaBytes = 0;
  std::vector<int64_t> weightBytes;
};

/** Reads the records of one program. `opNames` are indexed by the numbers in the records. Fails with Misuse. */
Plan readPlan(const std::string& isa, const double* records, size_t count, const std::vector<std::string>& opNames);
