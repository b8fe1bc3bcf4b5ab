// Codes packed into the fields of blocks.
#pragma once

#include "../../formats/half.h"

namespace {

/** Codes of four bits: of each 2 * half codes, code j in the low nibble of a byte, code j + half in the high. */
POCKET_INLINE void writeNibbles(const uint8_t* codes, int count, int half, uint8_t* out) {
  for (int group = 0; group < count; group += 2 * half) {
    for (int j = 0; j < half; j++) {
      out[group / 2 + j] = static_cast<uint8_t>((codes[group + j] & 15) | codes[group + half + j] << 4);
    }
  }
}

/** Two bits from bit `shift` on of 256 codes, as K formats and tq2_0 have them: four codes 32 apart share a byte. */
POCKET_INLINE void writeTwoBits(const uint8_t* codes, int shift, uint8_t* out) {
  for (int half = 0; half < 2; half++) {
    const uint8_t* from = codes + 128 * half;
    for (int j = 0; j < 32; j++) {
      int byte = 0;
      for (int n = 0; n < 4; n++) byte |= (from[32 * n + j] >> shift & 3) << 2 * n;
      out[32 * half + j] = static_cast<uint8_t>(byte);
    }
  }
}

/** Bit `shift` of 256 codes: eight codes 32 apart share a byte. */
POCKET_INLINE void writeOneBit(const uint8_t* codes, int shift, uint8_t* out) {
  for (int j = 0; j < 32; j++) {
    int byte = 0;
    for (int n = 0; n < 8; n++) byte |= (codes[32 * n + j] >> shift & 1) << n;
    out[j] = static_cast<uint8_t>(byte);
  }
}

/** The fifth bits of 32 codes: bit i of code i. */
POCKET_INLINE uint32_t fifthBits(const uint8_t* codes) {
  uint32_t bits = 0;
  for (int i = 0; i < 32; i++) bits |= static_cast<uint32_t>(codes[i] >> 4 & 1) << i;
  return bits;
}

/** Low nibbles of codes, two neighbours a byte, as the sub-scales of iq formats. */
POCKET_INLINE void writeSubNibbles(const uint8_t* codes, int count, uint8_t* out) {
  for (int s = 0; s < count; s += 2) out[s / 2] = static_cast<uint8_t>((codes[s] & 15) | codes[s + 1] << 4);
}

}  // namespace
