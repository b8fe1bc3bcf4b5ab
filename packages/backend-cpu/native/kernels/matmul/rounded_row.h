// A row of activations rounded to integers, for kernels that read weights in panels.
//
//   x[i] ~ scales[i / 32] * code(i)
//
// Rows of a prompt: code(i) = codes[i] in 8 bits, scale = largest magnitude of 32 / 127. Rows that decode:
// code(i) = 128 * codes[i] + low[i] in 15 bits, scale = largest / 16256: such rows wait for the weights, so a second
// product costs them nothing. Codes are rounded to nearest even. Beside them stand scale * code summed over 32 and
// over 16, for weights that have an offset, and -(sum of codes), for weights whose codes have another zero.
#pragma once

#include <cstdint>

/** Places in a row of `n` numbers, n a multiple of 32: bytes from its start. The codes stand at 0. */
struct RoundedRowPlaces {
  explicit constexpr RoundedRowPlaces(int64_t n)
      : scales(n),
        sumsOf32(scales + n / 32 * 4),
        sumsOf16(sumsOf32 + n / 32 * 4),
        negatedOf32(sumsOf16 + n / 16 * 4),
        negatedOf16(negatedOf32 + n / 32 * 4),
        low(negatedOf16 + n / 16 * 4) {}
  int64_t scales;
  int64_t sumsOf32;
  int64_t sumsOf16;
  int64_t negatedOf32;
  int64_t negatedOf16;
  int64_t low;
};

constexpr float kPromptSteps = 127.0f;
constexpr float kAnswerSteps = 127.0f * 128.0f;
