import { defineFormat } from './define-format.js';

/**
 * Groups of 4 weights are points of a code book of 512 with free signs; 32 weights share a 4-bit scale. 3.4375
 * bits a weight.
 *
 *     w[i] = (scale * (1 + 2 * subScale[i / 32])) * point[i % 4] * sign
 *
 * The index of group g's point is q[g], with bit 8 at bit g % 8 of qHigh[g / 8]. Bit i % 8 of signs[i / 8] makes
 * weight i negative. Sub-scale b is nibble b % 2 of byte b / 2 of `subScales`.
 */
export const iq3_s = defineFormat({
  name: 'iq3_s',
  ggufType: 21,
  block: { weights: 256, bytes: 110 },
  fields: {
    scale: { offset: 0, type: 'f16' },
    q: { offset: 2, type: 'u8', count: 64 },
    qHigh: { offset: 66, type: 'u8', count: 8 },
    signs: { offset: 74, type: 'u8', count: 32 },
    subScales: { offset: 106, type: 'u8', count: 4 },
  },
  use: 'weights',
  importance: 'used',
});
