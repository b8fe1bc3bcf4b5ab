import { defineFormat } from './define-format.js';

/**
 * q8_0 with the sum of its values, which a dot product with a format of scale and minimum needs.
 *
 *     x[i] = q[i] * scale
 *     sum  = scale * (q[0] + ... + q[31])      the scale before it is rounded to half
 */
export const q8_1 = defineFormat({
  name: 'q8_1',
  ggufType: 9,
  block: { weights: 32, bytes: 36 },
  fields: {
    scale: { offset: 0, type: 'f16' },
    sum: { offset: 2, type: 'f16' },
    q: { offset: 4, type: 'i8', count: 32 },
  },
  use: 'activations',
  importance: 'ignored',
});
