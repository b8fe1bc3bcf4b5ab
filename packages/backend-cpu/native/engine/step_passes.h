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
  /**
   * The units of a pass are shares, one for each thread, in order: a thread reads memory in one stretch, which is twice
   * as fast as in pieces. Here stands the next unit that nobody has taken, for each pass and share.
   */
  std::vector<std::atomic<int64_t>> next;
  int threads = 1;
  /** The pass at which the next wave starts; set where threads meet. */
  size_t position = 0;
  bool stopped = false;
  /** A thread has left portions of a pass undone, since the step was cancelled. */
  std::atomic<bool> isCutShort{false};

  void flatten(const std::vector<uint8_t>& startsWave, int threadCount) {
    threads = threadCount;
    for (size_t i = 0; i < operations.size(); i++) {
      const OperationKind& kind = operationKind(operations[i].planned->kind);
      for (int stage = 0; stage < kind.stages; stage++) {
        passes.push_back({&operations[i], &kind, stage, stage > 0 || startsWave[i] != 0});
      }
    }
    next = std::vector<std::atomic<int64_t>>(passes.size() * static_cast<size_t>(threads));
  }

  Work workOf(size_t index) const { return passes[index].kind->work(*passes[index].operation, passes[index].stage); }

  void compute(size_t index, int64_t from, int64_t to, uint8_t* scratch) const {
    passes[index].kind->compute(*passes[index].operation, passes[index].stage, from, to, scratch);
  }

  /** What the thread reads first of the next pass that threads share, from `index` on. */
  Stretch ahead(size_t index, int thread) const {
    for (; index < passes.size(); index++) {
      const Work work = workOf(index);
      if (work.units <= work.portion) continue;
      const Pass& pass = passes[index];
      const auto share = [&](int owner) { return work.units * owner / threads; };
      return pass.kind->reads(*pass.operation, pass.stage, share(thread), share(thread + 1));
    }
    return {nullptr, 0};
  }

  /** Does portions of the thread's share of a pass, then of the others', until none is left or the step is cancelled. */
  void share(size_t index, int thread, uint8_t* scratch) {
    const Work work = workOf(index);
    for (int i = 0; i < threads; i++) {
      const int owner = (thread + i) % threads;
      const int64_t first = work.units * owner / threads;
      const int64_t end = work.units * (owner + 1) / threads;
      std::atomic<int64_t>& taken = next[index * static_cast<size_t>(threads) + static_cast<size_t>(owner)];
      for (;;) {
        const int64_t from = first + taken.fetch_add(work.portion, std::memory_order_relaxed);
        if (from >= end) break;
        if (cancelled.load(std::memory_order_relaxed)) {
          isCutShort.store(true, std::memory_order_relaxed);
          return;
        }
        compute(index, from, from + work.portion < end ? from + work.portion : end, scratch);
      }
    }
  }

  /**
   * Does what is one portion, from `position` on; for a thread that runs alone. It alone decides that a cancelled step
   * ends, so that all stop at the same place.
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
