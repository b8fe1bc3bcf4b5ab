#include "weight_memory.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <set>

#include "../formats/panel_rows.h"
#include "../kernels/embedding/sizes.h"
#include "../kernels/matmul/sizes.h"
#include "../kernels/matmul/tile.h"
#include "operation.h"

namespace {

/** Panels that a thread packs at once. */
constexpr int64_t kPortion = 16;

/** A matrix of a weight, its rows in whole panels. */
struct Packed {
  const PlannedOp* op;
  uint8_t* rows;
  int64_t panels;
};

int64_t integer(double number) { return static_cast<int64_t>(number); }

}  // namespace

WeightMemory::WeightMemory(const Plan& plan) {
  int64_t total = 0;
  for (const int64_t bytes : plan.weightBytes) {
    offsets_.push_back(total);
    total += (bytes + 63) / 64 * 64;
  }
  const auto isPacked = [](const PlannedOp& op) { return op.pack != nullptr; };
  if (std::any_of(plan.ops.begin(), plan.ops.end(), isPacked)) total += kTouchRoom;
  memory_ = Memory(total, "weights");
}

void WeightMemory::pack(const Plan& plan, ThreadPool& pool, uint8_t* scratch, int64_t scratchEach) {
  std::set<int64_t> seen;
  std::vector<Packed> matrices;
  for (const PlannedOp& op : plan.ops) {
    if (op.pack == nullptr || !seen.insert(op.in[1]).second) continue;
    const int64_t outs = integer(op.size[MatmulSizes::kOutFeatures]);
    const int64_t bytes = outs * integer(op.size[MatmulSizes::kRowBytes]);
    const bool experts = op.kind == OpKind::kMatmulExperts;
    const int64_t count = experts ? integer(op.attribute[MatmulExpertsSizes::kExperts]) : 1;
    for (int64_t i = 0; i < count; i++) {
      matrices.push_back({&op, at(static_cast<size_t>(-op.in[1] - 1)) + i * bytes, outs / kPanelRows});
    }
  }
  std::vector<std::atomic<int64_t>> next(matrices.size());
  pool.run([&](int thread) {
    for (size_t m = 0; m < matrices.size(); m++) {
      const auto [op, rows, panels] = matrices[m];
      const int64_t bytes = kPanelRows * integer(op->size[MatmulSizes::kRowBytes]);
      for (;;) {
        const int64_t from = next[m].fetch_add(kPortion, std::memory_order_relaxed);
        if (from >= panels) break;
        const int64_t count = panels - from < kPortion ? panels - from : kPortion;
        packPanels(*op, rows + from * bytes, count * kPanelRows, rows + from * bytes, scratch + thread * scratchEach);
      }
    }
  });
}

void markPackedTables(Plan& plan) {
  std::set<int64_t> packed;
  for (const PlannedOp& op : plan.ops) {
    if (op.pack != nullptr) packed.insert(op.in[1]);
  }
  for (PlannedOp& op : plan.ops) {
    if (op.kernel != nullptr && strcmp(op.kernel->op, "embedding") == 0) {
      op.attribute[EmbeddingSizes::kInPanels] = packed.count(op.in[1]) != 0 ? 1 : 0;
    }
  }
}
