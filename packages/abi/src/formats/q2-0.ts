import { defineFormat } from './define-format.js';

/**
 * 64 weights share a half-precision scale. 2.25 bits a weight.
 *
 *     w[i] = (q[i] - 1) * scale
 *
 * Code i stands in byte i / 4 of `q`, at bit 2 * (i % 4).
 */
export const q2_0 = defineFormat({
  name: 'q2_0',
  ggufType: 42,
  block: { weights: 64, bytes: 18 },
  fields: {
    scale: { offset: 0, type: 'f16' },
    q: { offset: 2, type: 'u8', count: 16 },
  },
  use: 'weights',
  importance: 'used',
});
