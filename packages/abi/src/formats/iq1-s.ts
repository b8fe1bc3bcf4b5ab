import { defineFormat } from './define-format.js';

/**
 * Groups of 8 weights are points of a code book of 2048, out of -1, 0 and 1; 32 weights share a 3-bit scale and
 * the sign of a shift. 1.5625 bits a weight.
 *
 *     w[i] = (scale * (2 * subScale + 1)) * (point[i % 8] + shift)     shift = bit 15 ? -0.125 : 0.125
 *
 * Of qHigh[b], which belongs to weights 32 * b and up, bits 3 * g and up are bits 8 to 10 of the index of group
 * g, bits 12 to 14 are subScale. The low bits of the index of weight i's group are q[i / 8].
 */
export const iq1_s = defineFormat({
  name: 'iq1_s',
  ggufType: 19,
  block: { weights: 256, bytes: 50 },
  fields: {
    scale: { offset: 0, type: 'f16' },
    q: { offset: 2, type: 'u8', count: 32 },
    qHigh: { offset: 34, type: 'u16', count: 8 },
  },
  use: 'weights',
  importance: 'required',
});
