import { defineFormat } from './define-format.js';

/**
 * Groups of 4 weights are points of a code book of 256; 32 weights share a 4-bit scale. 3.0625 bits a weight.
 *
 *     w[i] = ((scale * (0.5 + subScale)) * 0.5) * point[i % 4] * sign
 *
 * q[i / 4] is the index of the point. Of signs[b], which belongs to weights 32 * b and up, bits 7 * g and up are
 * an index into `evenSigns` for eight weights, and the top four bits are subScale.
 */
export const iq3_xxs = defineFormat({
  name: 'iq3_xxs',
  ggufType: 18,
  block: { weights: 256, bytes: 98 },
  fields: {
    scale: { offset: 0, type: 'f16' },
    q: { offset: 2, type: 'u8', count: 64 },
    signs: { offset: 66, type: 'u32', count: 8 },
  },
  use: 'weights',
  importance: 'required',
});
