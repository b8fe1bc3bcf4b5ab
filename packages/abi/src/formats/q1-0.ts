import { defineFormat } from './define-format.js';

/**
 * 128 signs share a half-precision scale: w[i] is scale where bit i % 8 of q[i / 8] is set, -scale elsewhere.
 * 1.125 bits a weight.
 */
export const q1_0 = defineFormat({
  name: 'q1_0',
  ggufType: 41,
  block: { weights: 128, bytes: 18 },
  fields: {
    scale: { offset: 0, type: 'f16' },
    q: { offset: 2, type: 'u8', count: 16 },
  },
  use: 'weights',
  importance: 'used',
});
