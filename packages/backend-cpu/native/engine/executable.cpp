#include "executable.h"

#include <cstring>
#include <limits>

#include "failure.h"
#include "step_passes.h"

namespace {

int64_t sizeIn(const StepRequest& request, double size) {
  if (size == kStepRows) return request.rows;
  if (size == kStepOutputs) return request.outputs;
  return static_cast<int64_t>(size);
}

/** Fails with the number that an op has refused, if it has. */
void checkRefused(const Operation& operation) {
  const int64_t refused = *operation.call.refused;
  if (refused == kNothingRefused) return;
  const int64_t column = refused >> 2 & 0xffffffff;
  double value = std::numeric_limits<double>::quiet_NaN();
  switch (static_cast<RefusedKind>(refused & 3)) {
    case RefusedKind::kNaN:
      break;
    case RefusedKind::kInfinite:
      value = std::numeric_limits<double>::infinity();
      break;
    case RefusedKind::kNegativeInfinite:
      value = -std::numeric_limits<double>::infinity();
      break;
    case RefusedKind::kNegative:
      // Of weights alone, which stand where they stood.
      value = static_cast<const float*>(operation.call.in[0])[column];
      break;
  }
  throw RefusedNumber(operation.kernel->op, column, value);
}

}  // namespace

/** What the threads of one step share. */
struct Executable::Running : StepPasses {
  Running(const StepRequest& request, const std::atomic<bool>& cancelled)
      : StepPasses{cancelled, {}, {}, {}},
        allRows{0, request.rows, 0, false, nullptr},
        rows(request.sequences, request.rows, request.outputs),
        refused(request.ops.size(), kNothingRefused) {}
  const SequenceRows allRows;
  const StepRows rows;
  /** By op. */
  std::vector<int64_t> refused;
};

Executable::Executable(Plan plan, std::shared_ptr<ThreadPool> pool)
    : plan_(std::move(plan)), pool_(std::move(pool)), weights_(plan_) {
  markPackedTables(plan_);
  for (const PlannedOp& op : plan_.ops) {
    const int64_t bytes = operationKind(op.kind).threadScratch(op);
    if (bytes > threadScratchEach_) threadScratchEach_ = bytes;
  }
  threadScratchEach_ = (threadScratchEach_ + 4095) / 4096 * 4096;
  arena_ = Memory(plan_.arenaBytes, "values of a step");
  threadScratch_ = Memory(threadScratchEach_ * pool_->threads(), "memory of threads");
}

void Executable::writeWeight(size_t weight, int64_t offset, const uint8_t* bytes, int64_t count) {
  memcpy(weights_.at(weight) + offset, bytes, static_cast<size_t>(count));
}

void Executable::packWeights() { weights_.pack(plan_, *pool_, threadScratch_.data(), threadScratchEach_); }

int64_t Executable::scratchBytes() const { return arena_.bytes() + threadScratch_.bytes() + sharedBytes_.load(); }

const void* Executable::operand(int64_t reference) const {
  if (reference == 0) return nullptr;
  if (reference < 0) return weights_.at(static_cast<size_t>(-reference - 1));
  return value(static_cast<size_t>(reference - 1));
}

void Executable::resolve(const StepRequest& request, Running& running) {
  running.operations.reserve(request.ops.size());
  for (const int32_t index : request.ops) {
    const PlannedOp& op = plan_.ops.at(static_cast<size_t>(index));
    Operation operation{};
    operation.planned = &op;
    operation.kernel = op.kernel;
    operation.threads = pool_->threads();
    Call& call = operation.call;
    for (int i = 0; i < 6; i++) call.in[i] = operand(op.in[i]);
    for (int i = 0; i < 2; i++) call.out[i] = const_cast<void*>(operand(op.out[i]));
    for (int i = 0; i < 6; i++) call.size[i] = sizeIn(request, op.size[i]);
    memcpy(call.attribute, op.attribute, sizeof call.attribute);
    call.units = sizeIn(request, op.leadingUnits) * op.unitsEach;
    const double rows = op.kind == OpKind::kRange ? op.leadingUnits : op.size[0];
    if (rows == kStepRows) {
      call.decodes = running.rows.decodes();
      operation.rowsByPhase = running.rows.byPhase();
      operation.promptRows = running.rows.prompts();
    } else {
      call.decodes = rows == kStepOutputs ? running.rows.outputsDecode() : nullptr;
      operation.promptRows = rows == kStepOutputs ? 0 : call.size[0];
    }
    call.sequences = request.sequences.data();
    call.sequenceCount = static_cast<int64_t>(request.sequences.size());
    call.refused = &running.refused[running.operations.size()];
    if (op.kind == OpKind::kAttention) {
      const size_t layer = static_cast<size_t>(request.cacheLayers.at(static_cast<size_t>(op.cacheLayer)));
      call.cache = &request.cache->layers().at(layer);
      operation.attention = &request.cache->kernels();
    } else if (op.kind == OpKind::kAttentionFull) {
      operation.attention = op.kernel->attention;
      // Rows that are not those of the step are one sequence.
      if (op.size[0] != kStepRows || call.sequenceCount == 0) {
        call.sequences = &running.allRows;
        call.sequenceCount = 1;
      }
    }
    running.operations.push_back(operation);
  }
}

StepOutcome Executable::run(const StepRequest& request) {
  Running running(request, cancelled_);
  resolve(request, running);
  running.flatten(request.startsWave, pool_->threads());
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
  if (running.stopped || running.isCutShort) return StepOutcome::kCancelled;
  for (const Operation& operation : running.operations) checkRefused(operation);
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
      running.share(pass++, thread, scratch);
    } while (pass < running.passes.size() && !running.passes[pass].startsWave);
    pool_->meet(
        [&] {
          running.position = pass;
          running.doSmallPasses(scratch);
        },
        Ahead(running.ahead(pass, thread)));
  }
}
