import { defineFormat } from './define-format.js';

/**
 * 16 sub-blocks of 16 weights, each with a 4-bit scale and minimum. 2.625 bits a weight.
 *
 *     w[i] = (scale * low nibble of subScales[s]) * q[i] - min * high nibble of subScales[s]     s = i / 16
 *
 * Code i stands in byte 32 * (i / 128) + i % 32 of `q`, at bit 2 * (i % 128 / 32).
 */
export const q2_k = defineFormat({
  name: 'q2_k',
  ggufType: 10,
  block: { weights: 256, bytes: 84 },
  fields: {
    subScales: { offset: 0, type: 'u8', count: 16 },
    q: { offset: 16, type: 'u8', count: 64 },
    scale: { offset: 80, type: 'f16' },
    min: { offset: 82, type: 'f16' },
  },
  use: 'weights',
  importance: 'used',
});
