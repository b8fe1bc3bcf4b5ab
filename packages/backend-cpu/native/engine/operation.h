// How each kind of op is cut into work that threads take portions of. Stages follow one another; within one, any
// thread may do any portion, and the result is the same.
#pragma once

#include "ahead.h"
#include "plan.h"

/** An op with everything of one step put in. */
struct Operation {
  const PlannedOp* planned;
  Call call;
  const KernelEntry* kernel;
  /** attention: of the format of the step's cache. */
  const AttentionKernels* attention;
  /** The rows of the call that belong to prompts, then those that decode: their numbers, or null where all are alike. */
  const int32_t* rowsByPhase;
  int64_t promptRows;
  /** Threads that share the work. */
  int threads;
};

struct Work {
  int64_t units;
  /** Units that a thread takes at once. */
  int64_t portion;
};

struct OperationKind {
  int stages;
  Work (*work)(const Operation& operation, int stage);
  /** Does the units from <= unit < to. `scratch` belongs to the thread. */
  void (*compute)(const Operation& operation, int stage, int64_t from, int64_t to, uint8_t* scratch);
  /** What the units from <= unit < to read first that no cache holds; nothing where that is not known before. */
  Stretch (*reads)(const Operation& operation, int stage, int64_t from, int64_t to);
  /** Bytes that all threads share in this step. */
  int64_t (*sharedScratch)(const Operation& operation);
  /** Bytes that each thread needs in any step. */
  int64_t (*threadScratch)(const PlannedOp& op);
};

const OperationKind& operationKind(OpKind kind);

inline Stretch readsNothing(const Operation&, int, int64_t, int64_t) { return {nullptr, 0}; }
inline int64_t noSharedScratch(const Operation&) { return 0; }

/**
 * Whether a kernel of matmul gets rows of one phase at a time, up to kPanelTileRows of them; in operations/panels.cpp. All
 * others do any rows alike.
 */
bool isByPhase(const PlannedOp& op);

/** What a kernel of matmul needs. */
int64_t tileScratch(const PlannedOp& op);

/** Stores rows of a weight as panels; the last is filled with zeros. `scratch` is a panel large, `out` may be `rows`. */
void packPanels(const PlannedOp& op, const uint8_t* rows, int64_t rowCount, uint8_t* out, uint8_t* scratch);

/**
 * Runs the kernel on weight rows from `firstOut`, a multiple of 16, on, as they are stored; `tile` has all but the
 * weights.
 */
void multiplyWeights(const PlannedOp& op, MatmulTile tile, const uint8_t* matrix, int64_t firstOut, int64_t outFeatures);

extern const OperationKind kRangeOperation;
extern const OperationKind kMatmulOperation;
extern const OperationKind kMatmulExpertsOperation;
extern const OperationKind kAttentionOperation;
extern const OperationKind kAttentionFullOperation;
