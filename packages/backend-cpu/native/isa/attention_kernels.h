// The attention kernels, defined for the instruction set that the including file is compiled for. The file may say what
// becomes of a unit (POCKET_ATTEND) and how many query heads one has (POCKET_ATTEND_QUERIES, POCKET_ATTEND_SCRATCH).
#pragma once

#include "../kernels/attention/attention.h"

#ifndef POCKET_ATTEND
#define POCKET_ATTEND attend
#define POCKET_ATTEND_QUERIES kPairedQueries
#define POCKET_ATTEND_SCRATCH attentionScratch
#endif

namespace {

typedef StoredF32 Stored_f32;
typedef StoredF16 Stored_f16;
typedef StoredQ8_0 Stored_q8_0;

template <class Stored>
void attendWith(const AttentionUnit& unit) {
  POCKET_ATTEND<Stored>(unit);
}

int64_t scratchOfUnit(int64_t queries, int64_t headSize, int64_t valueSize) {
  return POCKET_ATTEND_SCRATCH(queries, headSize, valueSize);
}

void mergeStored(const MergeUnit& unit) { mergeParts(unit); }

template <class Stored>
void storeWith(const float* x, int64_t n, uint8_t* row) {
  Stored::write(x, n, row);
}

template <class Stored>
int64_t rowBytesWith(int64_t n) {
  return Stored::bytesOf(n);
}

}  // namespace

#define POCKET_DEFINE_ATTENTION(name, format)                                                     \
  extern const AttentionKernels name;                                                             \
  const AttentionKernels name = {POCKET_ATTEND_QUERIES, attendWith<Stored_##format>, scratchOfUnit, \
                                 mergeStored, storeWith<Stored_##format>, rowBytesWith<Stored_##format>};
#define POCKET_KERNEL(isa, name, format, rowsAtOnce, order) POCKET_DEFINE_##isa(name, format)
#include "../kernels/attention/kernels.inc"
