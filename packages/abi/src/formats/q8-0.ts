import { defineFormat } from './define-format.js';

/** 32 weights share one half-precision scale: w[i] = q[i] * scale. 8.5 bits a weight. */
export const q8_0 = defineFormat({
  name: 'q8_0',
  ggufType: 8,
  block: { weights: 32, bytes: 34 },
  fields: {
    scale: { offset: 0, type: 'f16' },
    q: { offset: 2, type: 'i8', count: 32 },
  },
  use: 'weights',
  importance: 'ignored',
});
