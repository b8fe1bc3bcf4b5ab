import { defineFormat } from './define-format.js';

/**
 * Groups of 8 weights are points of a code book of 1024 with free signs; 16 weights share a 4-bit scale. 2.5625
 * bits a weight.
 *
 *     w[i] = ((scale * (0.5 + subScale[i / 16])) * 0.25) * point[i % 8] * sign
 *
 * The index of group g's point is q[g], with bits 8 and 9 at bit 2 * (g % 4) of qHigh[g / 4]. A set bit k of
 * signs[g] makes weight k of the group negative. Sub-scale s is nibble s % 2 of byte s / 2 of `subScales`.
 */
export const iq2_s = defineFormat({
  name: 'iq2_s',
  ggufType: 22,
  block: { weights: 256, bytes: 82 },
  fields: {
    scale: { offset: 0, type: 'f16' },
    q: { offset: 2, type: 'u8', count: 32 },
    signs: { offset: 34, type: 'u8', count: 32 },
    qHigh: { offset: 66, type: 'u8', count: 8 },
    subScales: { offset: 74, type: 'u8', count: 8 },
  },
  use: 'weights',
  importance: 'required',
});
