import { defineFormat } from './define-format.js';

/**
 * 8 sub-blocks of 32 weights, each as in iq4_nl with a 6-bit scale. 4.25 bits a weight.
 *
 *     w[i] = (scale * (subScale[i / 32] - 32)) * iq4Values[q[i]]
 *
 * Sub-scale s is nibble s % 2 of byte s / 2 of `subScales`, with its high two bits at bit 2 * s of
 * `subScalesHigh`. Byte 16 * s + j of `q` holds code j of the sub-block low and code j + 16 high.
 */
export const iq4_xs = defineFormat({
  name: 'iq4_xs',
  ggufType: 23,
  block: { weights: 256, bytes: 136 },
  fields: {
    scale: { offset: 0, type: 'f16' },
    subScalesHigh: { offset: 2, type: 'u16' },
    subScales: { offset: 4, type: 'u8', count: 4 },
    q: { offset: 8, type: 'u8', count: 128 },
  },
  use: 'weights',
  importance: 'used',
});
