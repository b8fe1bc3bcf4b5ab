import { defineFormat } from './define-format.js';

/**
 * 256 values share one single-precision scale, which may be negative: x[i] = q[i] * scale. `sums[s]` is the sum
 * of the sixteen q of sub-block s, which a dot product with a format of minima needs.
 */
export const q8_k = defineFormat({
  name: 'q8_k',
  ggufType: 15,
  block: { weights: 256, bytes: 292 },
  fields: {
    scale: { offset: 0, type: 'f32' },
    q: { offset: 4, type: 'i8', count: 256 },
    sums: { offset: 260, type: 'i16', count: 16 },
  },
  use: 'activations',
  importance: 'ignored',
});
