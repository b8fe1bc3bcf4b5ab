import { weightFormats } from '@pocketllm/abi';
import { readHalf } from './bytes.js';
import type { DecodeBlock } from './decode-block.js';
import { subMinOf, subScaleOf } from './six-bit-pairs.js';

const { scale, min, subScales, qHigh, q } = weightFormats.q5_k.fields;

export const decodeQ5_K: DecodeBlock = (bytes, block, out, to) => {
  const d = readHalf(bytes, block + scale.offset);
  const dMin = readHalf(bytes, block + min.offset);
  for (let sub = 0; sub < 8; sub++) {
    const step = Math.fround(d * subScaleOf(bytes, block + subScales.offset, sub));
    const low = Math.fround(dMin * subMinOf(bytes, block + subScales.offset, sub));
    const from = block + q.offset + 32 * (sub >> 1);
    const shift = 4 * (sub & 1);
    for (let j = 0; j < 32; j++) {
      const high = (bytes[block + qHigh.offset + j]! >> sub) & 1;
      const code = ((bytes[from + j]! >> shift) & 15) | (high << 4);
      out[to + 32 * sub + j] = Math.fround(step * code) - low;
    }
  }
};
