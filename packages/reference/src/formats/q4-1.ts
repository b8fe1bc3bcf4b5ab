import { weightFormats } from '@pocketllm/abi';
import { readHalf } from './bytes.js';
import type { DecodeBlock } from './decode-block.js';

const { scale, min, q } = weightFormats.q4_1.fields;

export const decodeQ4_1: DecodeBlock = (bytes, block, out, to) => {
  const d = readHalf(bytes, block + scale.offset);
  const m = readHalf(bytes, block + min.offset);
  for (let j = 0; j < 16; j++) {
    const pair = bytes[block + q.offset + j]!;
    out[to + j] = Math.fround((pair & 15) * d) + m;
    out[to + j + 16] = Math.fround((pair >> 4) * d) + m;
  }
};
