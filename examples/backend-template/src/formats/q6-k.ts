import { weightFormats } from '@pocketllm/abi';
import { halves } from '../half.js';
import type { DecodeBlock } from './index.js';

const { scale, subScales, q, qHigh } = weightFormats.q6_k.fields;

export const q6_k: DecodeBlock = (view, at, out, to) => {
  const scaleOfBlock = halves[view.getUint16(at + scale.offset, true)]!;
  for (let i = 0; i < 256; i++) {
    const half = i >> 7;
    const quarter = (i >> 5) & 3;
    const lane = i & 31;
    const low = view.getUint8(at + q.offset + 64 * half + 32 * (quarter & 1) + lane) >> (quarter < 2 ? 0 : 4);
    const high = view.getUint8(at + qHigh.offset + 32 * half + lane) >> (2 * quarter);
    const subScale = view.getInt8(at + subScales.offset + (i >> 4));
    out[to + i] = scaleOfBlock * subScale * (((low & 15) | ((high & 3) << 4)) - 32);
  }
};
