import { defineFormat } from './define-format.js';

/**
 * 32 weights share a half-precision scale and minimum. 5 bits a weight.
 *
 *     w[i] = q[i] * scale + min
 *
 * Byte j of `q` holds code j in its low nibble and code j + 16 in its high one.
 */
export const q4_1 = defineFormat({
  name: 'q4_1',
  ggufType: 3,
  block: { weights: 32, bytes: 20 },
  fields: {
    scale: { offset: 0, type: 'f16' },
    min: { offset: 2, type: 'f16' },
    q: { offset: 4, type: 'u8', count: 16 },
  },
  use: 'weights',
  importance: 'used',
});
