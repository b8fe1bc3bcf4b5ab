#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "memory.h"
#include "operation.h"
#include "paged_cache.h"
#include "step_rows.h"
#include "thread_pool.h"
#include "weight_memory.h"

/** A copy of a value of the step for the caller. */
struct Result {
  int64_t value;
  uint8_t* to;
  int64_t bytes;
};

struct StepRequest {
  int64_t rows = 0;
  int64_t outputs = 0;
  std::vector<SequenceRows> sequences;
  /** What the sequences' page pointers lead into. */
  std::vector<int32_t> pages;
  std::shared_ptr<PagedCache> cache;
  /** Index of the cache's layer for each layer of the program. */
  std::vector<int32_t> cacheLayers;
  /** The ops to run, in order, and whether all before one must be done when it starts. */
  std::vector<int32_t> ops;
  std::vector<uint8_t> startsWave;
  std::vector<Result> results;
};

enum class StepOutcome { kDone, kCancelled };

/** A plan with its weights and the memory of a step. Steps run one after another. */
class Executable {
 public:
  Executable(Plan plan, std::shared_ptr<ThreadPool> pool);

  /** Copies bytes of a weight to its place; the caller has checked the range. */
  void writeWeight(size_t weight, int64_t offset, const uint8_t* bytes, int64_t count);
  /** Stores the weights as the kernels read them; once, when all are written. Blocks. */
  void packWeights();
  int64_t weightBytes(size_t weight) const { return plan_.weightBytes.at(weight); }
  size_t weightCount() const { return plan_.weightBytes.size(); }
  /** Where a value of the step stands. */
  uint8_t* value(size_t value) const { return arena_.data() + plan_.valueOffsets.at(value); }
  int64_t roomOfValue(size_t value) const { return arena_.bytes() - plan_.valueOffsets.at(value); }
  size_t opCount() const { return plan_.ops.size(); }

  /** Bytes in use beside the weights. */
  int64_t scratchBytes() const;

  /** Blocks until the step is done. Fails with OutOfMemory before anything has run. */
  StepOutcome run(const StepRequest& request);

  /** Ends the running step between two portions. */
  void cancel() { cancelled_.store(true, std::memory_order_relaxed); }
  void allow() { cancelled_.store(false, std::memory_order_relaxed); }

 private:
  struct Running;

  void resolve(const StepRequest& request, Running& running);
  const void* operand(int64_t reference) const;
  void runThread(Running& running, int thread);

  Plan plan_;
  const std::shared_ptr<ThreadPool> pool_;
  WeightMemory weights_;
  Memory arena_;
  Memory threadScratch_;
  int64_t threadScratchEach_ = 0;
  Memory shared_;
  std::atomic<bool> cancelled_{false};
  /** Of shared_, which grows while JavaScript may ask. */
  std::atomic<int64_t> sharedBytes_{0};
};
