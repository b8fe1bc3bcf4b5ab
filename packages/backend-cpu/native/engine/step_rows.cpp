#include "step_rows.h"

#include <algorithm>

StepRows::StepRows(const std::vector<SequenceRows>& sequences, int64_t rows, int64_t outputs)
    : rows_(rows), decodes_(static_cast<size_t>(rows)), ones_(static_cast<size_t>(outputs), 1) {
  for (const SequenceRows& sequence : sequences) {
    const auto first = decodes_.begin() + sequence.firstRow;
    std::fill(first, first + sequence.rows, sequence.decodes ? 1 : 0);
  }
  for (const uint8_t phase : {0, 1}) {
    for (int64_t row = 0; row < rows; row++) {
      if (decodes_[static_cast<size_t>(row)] == phase) byPhase_.push_back(static_cast<int32_t>(row));
    }
    if (phase == 0) prompts_ = static_cast<int64_t>(byPhase_.size());
  }
}
