import { weightFormats } from '@pocketllm/abi';
import { readHalf } from './bytes.js';
import type { DecodeBlock } from './decode-block.js';

const { scale, q } = weightFormats.q1_0.fields;

export const decodeQ1_0: DecodeBlock = (bytes, block, out, to) => {
  const d = readHalf(bytes, block + scale.offset);
  for (let i = 0; i < 128; i++) {
    out[to + i] = (bytes[block + q.offset + (i >> 3)]! >> (i & 7)) & 1 ? d : -d;
  }
};
