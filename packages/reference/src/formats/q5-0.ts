import { weightFormats } from '@pocketllm/abi';
import { readHalf, readU32 } from './bytes.js';
import type { DecodeBlock } from './decode-block.js';

const { scale, qHigh, q } = weightFormats.q5_0.fields;

export const decodeQ5_0: DecodeBlock = (bytes, block, out, to) => {
  const d = readHalf(bytes, block + scale.offset);
  const high = readU32(bytes, block + qHigh.offset);
  for (let j = 0; j < 16; j++) {
    const pair = bytes[block + q.offset + j]!;
    out[to + j] = (((pair & 15) | (((high >>> j) & 1) << 4)) - 16) * d;
    out[to + j + 16] = (((pair >> 4) | (((high >>> (j + 16)) & 1) << 4)) - 16) * d;
  }
};
