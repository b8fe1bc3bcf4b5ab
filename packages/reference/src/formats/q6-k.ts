import { weightFormats } from '@pocketllm/abi';
import { readHalf, readI8 } from './bytes.js';
import type { DecodeBlock } from './decode-block.js';

const { q, qHigh, subScales, scale } = weightFormats.q6_k.fields;

export const decodeQ6_K: DecodeBlock = (bytes, block, out, to) => {
  const d = readHalf(bytes, block + scale.offset);
  for (let sub = 0; sub < 16; sub++) {
    const step = Math.fround(d * readI8(bytes, block + subScales.offset + sub));
    const half = sub >> 3;
    const quarter = (sub & 7) >> 1;
    const lane = 16 * (sub & 1);
    const from = block + q.offset + 64 * half + 32 * (quarter & 1) + lane;
    const highFrom = block + qHigh.offset + 32 * half + lane;
    const shift = quarter < 2 ? 0 : 4;
    for (let j = 0; j < 16; j++) {
      const low = (bytes[from + j]! >> shift) & 15;
      const high = (bytes[highFrom + j]! >> (2 * quarter)) & 3;
      out[to + 16 * sub + j] = step * ((low | (high << 4)) - 32);
    }
  }
};
