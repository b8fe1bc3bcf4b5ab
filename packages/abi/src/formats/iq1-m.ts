import { defineFormat } from './define-format.js';

/**
 * Groups of 8 weights are points of the code book of iq1_s, each with its own shift; 16 weights share a 3-bit
 * scale. 1.75 bits a weight.
 *
 *     w[i] = (scale * (2 * subScale[i / 16] + 1)) * (point[i % 8] + shift)     shift = bit 3 ? -0.125 : 0.125
 *
 * Group g has nibble g % 2 of byte g / 2 of `qHigh`: bits 8 to 10 of its index, whose low bits are q[g], and bit
 * 3 for the shift. Sub-scale s stands at bit 3 * (s % 4) of subScales[s / 4]. The bits of the half-precision scale
 * are the top nibbles of the four words, lowest first.
 */
export const iq1_m = defineFormat({
  name: 'iq1_m',
  ggufType: 29,
  block: { weights: 256, bytes: 56 },
  fields: {
    q: { offset: 0, type: 'u8', count: 32 },
    qHigh: { offset: 32, type: 'u8', count: 16 },
    subScales: { offset: 48, type: 'u16', count: 4 },
  },
  use: 'weights',
  importance: 'required',
});
