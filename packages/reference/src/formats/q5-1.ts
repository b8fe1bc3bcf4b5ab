import { weightFormats } from '@pocketllm/abi';
import { readHalf, readU32 } from './bytes.js';
import type { DecodeBlock } from './decode-block.js';

const { scale, min, qHigh, q } = weightFormats.q5_1.fields;

export const decodeQ5_1: DecodeBlock = (bytes, block, out, to) => {
  const d = readHalf(bytes, block + scale.offset);
  const m = readHalf(bytes, block + min.offset);
  const high = readU32(bytes, block + qHigh.offset);
  for (let j = 0; j < 16; j++) {
    const pair = bytes[block + q.offset + j]!;
    out[to + j] = Math.fround(((pair & 15) | (((high >>> j) & 1) << 4)) * d) + m;
    out[to + j + 16] = Math.fround(((pair >> 4) | (((high >>> (j + 16)) & 1) << 4)) * d) + m;
  }
};
