import { defineFormat } from './define-format.js';

/**
 * 256 weights out of -1, 0 and 1 share a half-precision scale. Two bits each, 2.0625 bits a weight.
 *
 *     w[i] = (q[i] - 1) * scale
 *
 * Code i stands in byte 32 * (i / 128) + i % 32 of `q`, at bit 2 * (i % 128 / 32).
 */
export const tq2_0 = defineFormat({
  name: 'tq2_0',
  ggufType: 35,
  block: { weights: 256, bytes: 66 },
  fields: {
    q: { offset: 0, type: 'u8', count: 64 },
    scale: { offset: 64, type: 'f16' },
  },
  use: 'weights',
  importance: 'used',
});
