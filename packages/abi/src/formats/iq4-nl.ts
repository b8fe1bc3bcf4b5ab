import { defineFormat } from './define-format.js';

/**
 * 32 weights share a half-precision scale; a code stands for one of sixteen uneven steps. 4.5 bits a weight.
 *
 *     w[i] = scale * iq4Values[q[i]]
 *
 * Byte j of `q` holds code j in its low nibble and code j + 16 in its high one.
 */
export const iq4_nl = defineFormat({
  name: 'iq4_nl',
  ggufType: 20,
  block: { weights: 32, bytes: 18 },
  fields: {
    scale: { offset: 0, type: 'f16' },
    q: { offset: 2, type: 'u8', count: 16 },
  },
  use: 'weights',
  importance: 'used',
});
