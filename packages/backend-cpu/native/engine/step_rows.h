#pragma once

#include <cstdint>
#include <vector>

#include "../kernels/call.h"

/**
 * Which rows of a step decode. That alone decides which arithmetic a row gets, never the rows beside it. Wanted rows
 * (the dimension `outputs`) are those from which tokens are chosen: they count as rows that decode.
 */
class StepRows {
 public:
  StepRows(const std::vector<SequenceRows>& sequences, int64_t rows, int64_t outputs);

  /** One for each row, or null where none decodes. */
  const uint8_t* decodes() const { return prompts_ == rows_ ? nullptr : decodes_.data(); }
  const uint8_t* outputsDecode() const { return ones_.data(); }
  /** How many belong to prompts. */
  int64_t prompts() const { return prompts_; }
  /** The numbers of the rows, those of prompts first; null where all are of one phase. */
  const int32_t* byPhase() const { return prompts_ == 0 || prompts_ == rows_ ? nullptr : byPhase_.data(); }

 private:
  int64_t rows_;
  int64_t prompts_;
  std::vector<uint8_t> decodes_;
  std::vector<uint8_t> ones_;
  std::vector<int32_t> byPhase_;
};
