import { weightFormats } from '@pocketllm/abi';
import { readHalf } from './bytes.js';
import type { DecodeBlock } from './decode-block.js';

const { scale, q } = weightFormats.q2_0.fields;

export const decodeQ2_0: DecodeBlock = (bytes, block, out, to) => {
  const d = readHalf(bytes, block + scale.offset);
  for (let i = 0; i < 64; i++) {
    const code = (bytes[block + q.offset + (i >> 2)]! >> (2 * (i & 3))) & 3;
    out[to + i] = (code - 1) * d;
  }
};
