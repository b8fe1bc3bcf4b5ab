import { weightFormats } from '@pocketllm/abi';
import { halves } from '../half.js';
import type { DecodeBlock } from './index.js';

const { scale, min, subScales, q } = weightFormats.q4_k.fields;

export const q4_k: DecodeBlock = (view, at, out, to) => {
  const scaleOfBlock = halves[view.getUint16(at + scale.offset, true)]!;
  const minOfBlock = halves[view.getUint16(at + min.offset, true)]!;
  const packed = (i: number) => view.getUint8(at + subScales.offset + i);
  for (let s = 0; s < 8; s++) {
    // Six bits each: of the last four sub-blocks, the upper two stand in bytes of the first four.
    const subScale = s < 4 ? packed(s) & 63 : (packed(s + 4) & 15) | ((packed(s - 4) >> 6) << 4);
    const subMin = s < 4 ? packed(s + 4) & 63 : (packed(s + 4) >> 4) | ((packed(s) >> 6) << 4);
    const codes = at + q.offset + 32 * (s >> 1);
    const shift = 4 * (s & 1);
    for (let i = 0; i < 32; i++) {
      const code = (view.getUint8(codes + i) >> shift) & 15;
      out[to + 32 * s + i] = scaleOfBlock * subScale * code - minOfBlock * subMin;
    }
  }
};
