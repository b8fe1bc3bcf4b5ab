import { defineFormat } from './define-format.js';

/**
 * 256 weights out of -1, 0 and 1 share a half-precision scale. Five weights a byte, 1.6875 bits a weight.
 *
 *     w[i] = (digit(i) - 1) * scale
 *
 * A byte b is a fraction in base 3; its digit n is (b * 3^n % 256 * 3) >> 8. Weight 32 * n + m is digit n of q[m]
 * for m < 32, n < 5; weight 160 + 16 * n + m is digit n of q[32 + m] for m < 16, n < 5; weight 240 + 4 * n + m is
 * digit n of qLast[m] for m < 4, n < 4.
 */
export const tq1_0 = defineFormat({
  name: 'tq1_0',
  ggufType: 34,
  block: { weights: 256, bytes: 54 },
  fields: {
    q: { offset: 0, type: 'u8', count: 48 },
    qLast: { offset: 48, type: 'u8', count: 4 },
    scale: { offset: 52, type: 'f16' },
  },
  use: 'weights',
  importance: 'used',
});
