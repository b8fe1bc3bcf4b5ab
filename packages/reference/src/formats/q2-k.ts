import { weightFormats } from '@pocketllm/abi';
import { readHalf } from './bytes.js';
import type { DecodeBlock } from './decode-block.js';

const { subScales, q, scale, min } = weightFormats.q2_k.fields;

export const decodeQ2_K: DecodeBlock = (bytes, block, out, to) => {
  const d = readHalf(bytes, block + scale.offset);
  const dMin = readHalf(bytes, block + min.offset);
  for (let sub = 0; sub < 16; sub++) {
    const pair = bytes[block + subScales.offset + sub]!;
    const step = Math.fround(d * (pair & 15));
    const low = Math.fround(dMin * (pair >> 4));
    const from = block + q.offset + 32 * (sub >> 3) + 16 * (sub & 1);
    const shift = sub & 6;
    for (let j = 0; j < 16; j++) {
      out[to + 16 * sub + j] = Math.fround(step * ((bytes[from + j]! >> shift) & 3)) - low;
    }
  }
};
