#pragma once

#include <vector>

#include "memory.h"
#include "plan.h"
#include "thread_pool.h"

/** All weights of a plan in one block of memory, which gets huge pages. Fails with OutOfMemory. */
class WeightMemory {
 public:
  explicit WeightMemory(const Plan& plan);

  uint8_t* at(size_t weight) const { return memory_.data() + offsets_[weight]; }

  /**
   * Stores the weights of matmuls as their kernels read them, in place, with all threads. `scratch` is that of the
   * threads, `scratchEach` bytes of each.
   */
  void pack(const Plan& plan, ThreadPool& pool, uint8_t* scratch, int64_t scratchEach);

 private:
  Memory memory_;
  std::vector<int64_t> offsets_;
};

/** Marks the ops that read a row of a weight which a matmul wants packed. */
void markPackedTables(Plan& plan);
