import { defineFormat } from './define-format.js';

/**
 * 16 sub-blocks of 16 weights, each with a 6-bit scale. 3.4375 bits a weight.
 *
 *     w[i] = (scale * (subScale[i / 16] - 32)) * (q[i] - (bit is set ? 0 : 4))
 *
 * The low two bits of code i stand as in q2_k. Its high bit is bit 4 * (i / 128) + i % 128 / 32 of byte i % 32
 * of `qHigh`. Sub-scale s has its low four bits in nibble s / 8 of byte s % 8 of `subScales`, its high two at
 * bit 2 * (s / 4) of byte 8 + s % 4.
 */
export const q3_k = defineFormat({
  name: 'q3_k',
  ggufType: 11,
  block: { weights: 256, bytes: 110 },
  fields: {
    qHigh: { offset: 0, type: 'u8', count: 32 },
    q: { offset: 32, type: 'u8', count: 64 },
    subScales: { offset: 96, type: 'u8', count: 12 },
    scale: { offset: 108, type: 'f16' },
  },
  use: 'weights',
  importance: 'used',
});
