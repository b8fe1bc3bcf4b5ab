// The ops of one step as threads work through them.
#pragma once

#include <atomic>
#include <vector>

#include "operation.h"

/** One stage of an operation. */
struct Pass {
  const Operation* operation;
  const OperationKind* kind;
  int stage;
  /** All passes before it must be done. */
  bool startsWave;
};

/**
 * The passes of a step, done wave by wave. Within a wave threads take portions of one pass after another without
 * waiting. Where they meet, the last to arrive does the passes that are one portion each by itself, before the
 * others go on: most of those between the matrices of a single row.
 */
struct StepPasses {
  const std::atomic<bool>& cancelled;
  std::vector<Operation> operations;
  std::vector<Pass> passes;
  /** The next unit that nobody has taken, for each pass. */
  std::vector<std::atomic<int64_t>> next;
  /** The pass at which the next wave starts; set where threads meet. */
  size_t position = 0;
  bool stopped = false;

  void flatten(const std::vector<uint8_t>& startsWave) {
    for (size_t i = 0; i < operations.size(); i++) {
      const OperationKind& kind = operationKind(operations[i].planned->kind);
      for (int stage = 0; stage < kind.stages; stage++) {
        passes.push_back({&operations[i], &kind, stage, stage > 0 || startsWave[i] != 0});
      }
    }
    next = std::vector<std::atomic<int64_t>>(passes.size());
  }

  Work workOf(size_t index) const { return passes[index].kind->work(*passes[index].operation, passes[index].stage); }

  void compute(size_t index, int64_t from, int64_t to, uint8_t* scratch) const {
    passes[index].kind->compute(*passes[index].operation, passes[index].stage, from, to, scratch);
  }

  /** Does portions of a pass until none is left. */
  void share(size_t index, uint8_t* scratch) {
    const Work work = workOf(index);
    for (;;) {
      const int64_t from = next[index].fetch_add(work.portion, std::memory_order_relaxed);
      if (from >= work.units) return;
      compute(index, from, from + work.portion < work.units ? from + work.portion : work.units, scratch);
    }
  }

  /**
   * Does what is one portion, from `position` on; for a thread that runs alone. It alone looks whether the step
   * was cancelled, so that all stop at the same place.
   */
  void doSmallPasses(uint8_t* scratch) {
    for (; position < passes.size(); position++) {
      stopped = cancelled.load(std::memory_order_relaxed);
      if (stopped) return;
      const Work work = workOf(position);
      if (work.units > work.portion) return;
      if (work.units > 0) compute(position, 0, work.units, scratch);
    }
  }
};
