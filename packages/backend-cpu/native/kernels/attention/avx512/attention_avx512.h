// attention with AVX-512: rows of prompts 32 queries at a time (prompt.h), rows that decode a chunk at a time (answer.h).
#pragma once

#include "../attention.h"
#include "answer.h"
#include "float_products.h"
#include "prompt.h"

namespace {

template <class Products>
POCKET_INLINE void attendBy(const AttentionUnit& unit) {
  if (unit.parts == nullptr) {
    attendPrompt<Products>(unit);
  } else {
    attendAnswers<typename Products::Stored>(unit);
  }
}

/** Merging needs little: that of the general kernel. */
POCKET_INLINE int64_t wideScratch(int64_t queries, int64_t headSize, int64_t valueSize) {
  return greater(promptScratch(queries, headSize, valueSize), attentionScratch(queries, headSize, valueSize));
}

}  // namespace
