import { weightFormats } from '@pocketllm/abi';
import { readHalf } from './bytes.js';
import type { DecodeBlock } from './decode-block.js';

const { qHigh, q, subScales, scale } = weightFormats.q3_k.fields;

/** The six bits of sub-scale `sub`. */
function subScale(bytes: Uint8Array, block: number, sub: number): number {
  const at = block + subScales.offset;
  const low = (bytes[at + (sub & 7)]! >> (sub < 8 ? 0 : 4)) & 15;
  const high = (bytes[at + 8 + (sub & 3)]! >> (2 * (sub >> 2))) & 3;
  return low | (high << 4);
}

export const decodeQ3_K: DecodeBlock = (bytes, block, out, to) => {
  const d = readHalf(bytes, block + scale.offset);
  for (let sub = 0; sub < 16; sub++) {
    const step = Math.fround(d * (subScale(bytes, block, sub) - 32));
    const lane = 16 * (sub & 1);
    const from = block + q.offset + 32 * (sub >> 3) + lane;
    const highFrom = block + qHigh.offset + lane;
    const shift = sub & 6;
    const highBit = sub >> 1;
    for (let j = 0; j < 16; j++) {
      const high = (bytes[highFrom + j]! >> highBit) & 1;
      out[to + 16 * sub + j] = step * (((bytes[from + j]! >> shift) & 3) + 4 * high - 4);
    }
  }
};
