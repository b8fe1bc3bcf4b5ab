// Ops that work through rows or elements in one stage.
#include <cstring>

#include "../operation.h"

namespace {

Work work(const Operation& operation, int) {
  return {operation.call.units, operation.planned->portion};
}

void compute(const Operation& operation, int, int64_t from, int64_t to, uint8_t* scratch) {
  Call call = operation.call;
  call.threadScratch = scratch;
  operation.kernel->range(call, from, to);
}

/** route_experts keeps one double for each expert; the others need nothing. */
int64_t threadScratch(const PlannedOp& op) {
  return strcmp(op.kernel->op, "route_experts") == 0 ? 8 * static_cast<int64_t>(op.size[0]) : 0;
}

}  // namespace

const OperationKind kRangeOperation = {1, work, compute, readsNothing, noSharedScratch, threadScratch};

const OperationKind& operationKind(OpKind kind) {
  switch (kind) {
    case OpKind::kMatmul:
      return kMatmulOperation;
    case OpKind::kMatmulExperts:
      return kMatmulExpertsOperation;
    case OpKind::kAttention:
      return kAttentionOperation;
    case OpKind::kAttentionFull:
      return kAttentionFullOperation;
    case OpKind::kRange:
      break;
  }
  return kRangeOperation;
}
