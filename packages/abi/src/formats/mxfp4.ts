import { defineFormat } from './define-format.js';

/**
 * 32 four-bit floats (E2M1) share a power of two. 4.25 bits a weight.
 *
 *     w[i] = fp4Values[q[i]] * 2^(exponent - 128)
 *
 * Byte j of `q` holds code j in its low nibble and code j + 16 in its high one.
 */
export const mxfp4 = defineFormat({
  name: 'mxfp4',
  ggufType: 39,
  block: { weights: 32, bytes: 17 },
  fields: {
    exponent: { offset: 0, type: 'u8' },
    q: { offset: 1, type: 'u8', count: 16 },
  },
  use: 'weights',
  importance: 'used',
});
