import { defineFormat } from './define-format.js';

/**
 * 16 sub-blocks of 16 weights, each with an 8-bit scale. 6.5625 bits a weight.
 *
 *     w[i] = (scale * subScales[i / 16]) * ((low[i] | high[i] << 4) - 32)
 *
 * With h = i / 128, k = i % 128 / 32 and lane = i % 32: low[i] is a nibble of byte 64 * h + 32 * (k % 2) + lane of
 * `q`, the low one for k < 2 and the high one otherwise; high[i] stands at bit 2 * k of byte 32 * h + lane of
 * `qHigh`.
 */
export const q6_k = defineFormat({
  name: 'q6_k',
  ggufType: 14,
  block: { weights: 256, bytes: 210 },
  fields: {
    q: { offset: 0, type: 'u8', count: 128 },
    qHigh: { offset: 128, type: 'u8', count: 64 },
    subScales: { offset: 192, type: 'i8', count: 16 },
    scale: { offset: 208, type: 'f16' },
  },
  use: 'weights',
  importance: 'used',
});
