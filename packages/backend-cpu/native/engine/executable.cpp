#include "executable.h"

#include <cstring>

#include "failure.h"

namespace {

int64_t sizeIn(const StepRequest& request, double size) {
  if (size == kStepRows) return request.rows;
  if (size == kStepOutputs) return request.outputs;
  return static_cast<int64_t>(size);
}

}  // namespace

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
struct Executable::Running {
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

Executable::Executable(Plan plan, std::shared_ptr<ThreadPool> pool) : plan_(std::move(plan)), pool_(std::move(pool)) {
  for (const PlannedOp& op : plan_.ops) {
    const int64_t bytes = operationKind(op.kind).threadScratch(op);
    if (bytes > threadScratchEach_) threadScratchEach_ = bytes;
  }
  threadScratchEach_ = (threadScratchEach_ + 4095) / 4096 * 4096;
  arena_ = Memory(plan_.arenaBytes, "values of a step");
  threadScratch_ = Memory(threadScratchEach_ * pool_->threads(), "memory of threads");
  int64_t total = 0;
  for (const int64_t bytes : plan_.weightBytes) {
    weightOffsets_.push_back(total);
    total += (bytes + 63) / 64 * 64;
  }
  weights_ = Memory(total, "weights");
}

void Executable::writeWeight(size_t weight, int64_t offset, const uint8_t* bytes, int64_t count) {
  memcpy(weights_.data() + weightOffsets_.at(weight) + offset, bytes, static_cast<size_t>(count));
}

int64_t Executable::scratchBytes() const { return arena_.bytes() + threadScratch_.bytes() + sharedBytes_.load(); }

const void* Executable::operand(int64_t reference) const {
  if (reference == 0) return nullptr;
  if (reference < 0) return weights_.data() + weightOffsets_[static_cast<size_t>(-reference - 1)];
  return value(static_cast<size_t>(reference - 1));
}

std::vector<Operation> Executable::resolve(const StepRequest& request, const SequenceRows& allRows) {
  std::vector<Operation> operations;
  operations.reserve(request.ops.size());
  for (const int32_t index : request.ops) {
    const PlannedOp& op = plan_.ops.at(static_cast<size_t>(index));
    Operation operation{};
    operation.planned = &op;
    operation.kernel = op.kernel;
    Call& call = operation.call;
    for (int i = 0; i < 6; i++) call.in[i] = operand(op.in[i]);
    for (int i = 0; i < 2; i++) call.out[i] = const_cast<void*>(operand(op.out[i]));
    for (int i = 0; i < 6; i++) call.size[i] = sizeIn(request, op.size[i]);
    memcpy(call.attribute, op.attribute, sizeof call.attribute);
    call.units = sizeIn(request, op.leadingUnits) * op.unitsEach;
    call.sequences = request.sequences.data();
    call.sequenceCount = static_cast<int64_t>(request.sequences.size());
    if (op.kind == OpKind::kAttention) {
      const size_t layer = static_cast<size_t>(request.cacheLayers.at(static_cast<size_t>(op.cacheLayer)));
      call.cache = &request.cache->layers().at(layer);
      operation.attention = &request.cache->kernels();
    } else if (op.kind == OpKind::kAttentionFull) {
      operation.attention = op.kernel->attention;
      // Rows that are not those of the step are one sequence.
      if (op.size[0] != kStepRows || call.sequenceCount == 0) {
        call.sequences = &allRows;
        call.sequenceCount = 1;
      }
    }
    operations.push_back(operation);
  }
  return operations;
}

StepOutcome Executable::run(const StepRequest& request) {
  const SequenceRows allRows = {0, request.rows, 0, false, nullptr};
  Running running{cancelled_, resolve(request, allRows), {}, {}};
  running.flatten(request.startsWave);
  int64_t shared = 0;
  for (const Operation& operation : running.operations) {
    const int64_t bytes = operationKind(operation.planned->kind).sharedScratch(operation);
    if (bytes > shared) shared = bytes;
  }
  if (shared > shared_.bytes()) {
    // Contexts grow by one position a step: room for half as much again, so that it seldom has to grow.
    shared_ = Memory();
    sharedBytes_ = 0;
    shared_ = Memory(shared + shared / 2, "scores of a step");
    sharedBytes_ = shared_.bytes();
  }
  for (Operation& operation : running.operations) operation.call.scratch = shared_.data();
  running.doSmallPasses(threadScratch_.data());
  if (running.position < running.passes.size() && !running.stopped) pool_->run([&](int thread) { runThread(running, thread); });
  if (running.stopped) return StepOutcome::kCancelled;
  for (const Result& result : request.results) {
    memcpy(result.to, value(static_cast<size_t>(result.value)), static_cast<size_t>(result.bytes));
  }
  return StepOutcome::kDone;
}

void Executable::runThread(Running& running, int thread) {
  uint8_t* scratch = threadScratch_.data() + thread * threadScratchEach_;
  while (running.position < running.passes.size() && !running.stopped) {
    size_t pass = running.position;
    do {
      running.share(pass++, scratch);
    } while (pass < running.passes.size() && !running.passes[pass].startsWave);
    pool_->meet([&] {
      running.position = pass;
      running.doSmallPasses(scratch);
    });
  }
}
