import { defineFormat } from './define-format.js';

/**
 * 64 four-bit floats (E2M1) in sub-blocks of 16, each with an unsigned 8-bit float (UE4M3) as scale. 4.5 bits a
 * weight.
 *
 *     w[i] = fp4Values[q[i]] * subScale[i / 16]
 *
 * With e = bits 3 to 6 of the scale byte and m = bits 0 to 2, subScale is m * 2^-10 for e = 0, and
 * (1 + m / 8) * 2^(e - 8) otherwise; the byte 127 means 0. Bit 7 is ignored (255 is not special). Byte
 * 8 * s + j of `q` holds code j of sub-block s low and code j + 8 high. A file may hold one more factor per
 * tensor, in a tensor of its own.
 */
export const nvfp4 = defineFormat({
  name: 'nvfp4',
  ggufType: 40,
  block: { weights: 64, bytes: 36 },
  fields: {
    subScales: { offset: 0, type: 'u8', count: 4 },
    q: { offset: 4, type: 'u8', count: 32 },
  },
  use: 'weights',
  importance: 'used',
});
