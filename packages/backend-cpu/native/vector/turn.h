// Sixteen lines of sixteen words, turned: AVX-512.
#pragma once

#include "f32x16.h"

/** Word c of line r becomes word r of line c. */
POCKET_INLINE void turn(__m512i (&lines)[16]) {
  __m512i by2[16];
  for (int i = 0; i < 16; i += 2) {
    by2[i] = _mm512_unpacklo_epi32(lines[i], lines[i + 1]);
    by2[i + 1] = _mm512_unpackhi_epi32(lines[i], lines[i + 1]);
  }
  __m512i by4[16];
  for (int i = 0; i < 16; i += 4) {
    by4[i] = _mm512_unpacklo_epi64(by2[i], by2[i + 2]);
    by4[i + 1] = _mm512_unpackhi_epi64(by2[i], by2[i + 2]);
    by4[i + 2] = _mm512_unpacklo_epi64(by2[i + 1], by2[i + 3]);
    by4[i + 3] = _mm512_unpackhi_epi64(by2[i + 1], by2[i + 3]);
  }
  // Quarter q of by4[4 i + c] holds word 4 q + c of lines 4 i to 4 i + 3.
  for (int c = 0; c < 4; c++) {
    const __m512i low[2] = {_mm512_shuffle_i32x4(by4[c], by4[4 + c], 0x44),
                            _mm512_shuffle_i32x4(by4[8 + c], by4[12 + c], 0x44)};
    const __m512i high[2] = {_mm512_shuffle_i32x4(by4[c], by4[4 + c], 0xee),
                             _mm512_shuffle_i32x4(by4[8 + c], by4[12 + c], 0xee)};
    lines[c] = _mm512_shuffle_i32x4(low[0], low[1], 0x88);
    lines[4 + c] = _mm512_shuffle_i32x4(low[0], low[1], 0xdd);
    lines[8 + c] = _mm512_shuffle_i32x4(high[0], high[1], 0x88);
    lines[12 + c] = _mm512_shuffle_i32x4(high[0], high[1], 0xdd);
  }
}
