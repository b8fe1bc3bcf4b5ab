import { defineFormat } from './define-format.js';

/**
 * Groups of 8 weights are points of a code book of 256; 32 weights share a 4-bit scale. 2.0625 bits a weight.
 *
 *     w[i] = ((scale * (0.5 + subScale)) * 0.25) * point[i % 8] * sign
 *
 * The words 2 * b and 2 * b + 1 of `q` belong to weights 32 * b and up. Byte g of the first is the index of
 * group g's point. Of the second, bits 7 * g and up are an index into `evenSigns` for group g, and the top four
 * bits are subScale.
 */
export const iq2_xxs = defineFormat({
  name: 'iq2_xxs',
  ggufType: 16,
  block: { weights: 256, bytes: 66 },
  fields: {
    scale: { offset: 0, type: 'f16' },
    q: { offset: 2, type: 'u32', count: 16 },
  },
  use: 'weights',
  importance: 'required',
});
