import { defineFormat } from './define-format.js';

/**
 * 32 weights share a half-precision scale. 5.5 bits a weight.
 *
 *     w[i] = ((q[i] | bit i of qHigh << 4) - 16) * scale
 *
 * Byte j of `q` holds the low bits of code j in its low nibble and those of code j + 16 in its high one.
 */
export const q5_0 = defineFormat({
  name: 'q5_0',
  ggufType: 6,
  block: { weights: 32, bytes: 22 },
  fields: {
    scale: { offset: 0, type: 'f16' },
    qHigh: { offset: 2, type: 'u32' },
    q: { offset: 6, type: 'u8', count: 16 },
  },
  use: 'weights',
  importance: 'used',
});
