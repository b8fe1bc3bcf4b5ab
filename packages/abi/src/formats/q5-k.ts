import { defineFormat } from './define-format.js';

/**
 * 8 sub-blocks of 32 weights, each with a 6-bit scale and minimum. 5.5 bits a weight.
 *
 *     w[i] = (scale * subScale[s]) * (q[i] | bit s of qHigh[i % 32] << 4) - min * subMin[s]     s = i / 32
 *
 * The low four bits of code i, `subScales` and its six-bit pairs are laid out as in q4_k.
 */
export const q5_k = defineFormat({
  name: 'q5_k',
  ggufType: 13,
  block: { weights: 256, bytes: 176 },
  fields: {
    scale: { offset: 0, type: 'f16' },
    min: { offset: 2, type: 'f16' },
    subScales: { offset: 4, type: 'u8', count: 12 },
    qHigh: { offset: 16, type: 'u8', count: 32 },
    q: { offset: 48, type: 'u8', count: 128 },
  },
  use: 'weights',
  importance: 'used',
});
