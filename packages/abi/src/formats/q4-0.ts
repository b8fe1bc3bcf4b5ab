import { defineFormat } from './define-format.js';

/**
 * 32 weights share a half-precision scale. 4.5 bits a weight.
 *
 *     w[i] = (q[i] - 8) * scale
 *
 * Byte j of `q` holds code j in its low nibble and code j + 16 in its high one.
 */
export const q4_0 = defineFormat({
  name: 'q4_0',
  ggufType: 2,
  block: { weights: 32, bytes: 18 },
  fields: {
    scale: { offset: 0, type: 'f16' },
    q: { offset: 2, type: 'u8', count: 16 },
  },
  use: 'weights',
  importance: 'used',
});
