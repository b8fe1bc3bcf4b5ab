import { defineFormat } from './define-format.js';

/**
 * Groups of 8 weights are points of a code book of 512; 16 weights share a 4-bit scale. 2.3125 bits a weight.
 *
 *     w[i] = ((scale * (0.5 + subScale[i / 16])) * 0.25) * point[i % 8] * sign
 *
 * Of q[g], the low nine bits are the index of group g's point, and the high seven an index into `evenSigns`.
 * Sub-scale s is nibble s % 2 of byte s / 2 of `subScales`.
 */
export const iq2_xs = defineFormat({
  name: 'iq2_xs',
  ggufType: 17,
  block: { weights: 256, bytes: 74 },
  fields: {
    scale: { offset: 0, type: 'f16' },
    q: { offset: 2, type: 'u16', count: 32 },
    subScales: { offset: 66, type: 'u8', count: 8 },
  },
  use: 'weights',
  importance: 'required',
});
