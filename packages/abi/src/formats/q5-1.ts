import { defineFormat } from './define-format.js';

/**
 * 32 weights share a half-precision scale and minimum. 6 bits a weight.
 *
 *     w[i] = (q[i] | bit i of qHigh << 4) * scale + min
 *
 * Byte j of `q` holds the low bits of code j in its low nibble and those of code j + 16 in its high one.
 */
export const q5_1 = defineFormat({
  name: 'q5_1',
  ggufType: 7,
  block: { weights: 32, bytes: 24 },
  fields: {
    scale: { offset: 0, type: 'f16' },
    min: { offset: 2, type: 'f16' },
    qHigh: { offset: 4, type: 'u32' },
    q: { offset: 8, type: 'u8', count: 16 },
  },
  use: 'weights',
  importance: 'used',
});
