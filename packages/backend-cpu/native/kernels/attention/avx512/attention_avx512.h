// attention with AVX-512: rows of prompts by 32 queries (prompt.h), rows that decode as everywhere.
#pragma once

#include "../attention.h"
#include "float_products.h"
#include "prompt.h"

namespace {

template <class Products>
POCKET_INLINE void attendBy(const AttentionUnit& unit) {
  if (unit.parts == nullptr) {
    attendPrompt<Products>(unit);
  } else {
    attend<typename Products::Stored>(unit);
  }
}

POCKET_INLINE int64_t wideScratch(int64_t queries, int64_t headSize, int64_t valueSize) {
  return greater(promptScratch(queries, headSize, valueSize), attentionScratch(queries, headSize, valueSize));
}

}  // namespace
