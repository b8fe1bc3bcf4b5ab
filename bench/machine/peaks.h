#pragma once

#include <vector>

struct Peak {
  // The instruction set by the name that backends use, and what is multiplied.
  const char *isa;
  const char *type;
  // Multiplications and additions of all threads together, a second.
  double operationsPerSecond;
};

// One entry for each kind of arithmetic that this processor has and this program knows. Empty off x86-64.
std::vector<Peak> measurePeaks(int threads);
