import { defineFormat } from './define-format.js';

/**
 * 8 sub-blocks of 32 weights, each with a 6-bit scale and minimum. 4.5 bits a weight.
 *
 *     w[i] = (scale * subScale[s]) * q[i] - min * subMin[s]     s = i / 32
 *
 * Code i stands in byte 32 * (i / 64) + i % 32 of `q`: low nibble for even s, high nibble for odd s.
 * Scale and minimum of sub-block s come from `subScales` (S below), six bits each:
 *
 *     s < 4:   subScale = S[s] & 63                               subMin = S[s + 4] & 63
 *     s >= 4:  subScale = (S[s + 4] & 15) | (S[s - 4] >> 6) << 4   subMin = (S[s + 4] >> 4) | (S[s] >> 6) << 4
 */
export const q4_k = defineFormat({
  name: 'q4_k',
  ggufType: 12,
  block: { weights: 256, bytes: 144 },
  fields: {
    scale: { offset: 0, type: 'f16' },
    min: { offset: 2, type: 'f16' },
    subScales: { offset: 4, type: 'u8', count: 12 },
    q: { offset: 16, type: 'u8', count: 128 },
  },
  use: 'weights',
  importance: 'used',
});
