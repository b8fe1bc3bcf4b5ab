import { weightFormats } from '@pocketllm/abi';
import { readHalf } from './bytes.js';
import type { DecodeBlock } from './decode-block.js';

const { scale, q } = weightFormats.q4_0.fields;

export const decodeQ4_0: DecodeBlock = (bytes, block, out, to) => {
  const d = readHalf(bytes, block + scale.offset);
  for (let j = 0; j < 16; j++) {
    const pair = bytes[block + q.offset + j]!;
    out[to + j] = ((pair & 15) - 8) * d;
    out[to + j + 16] = ((pair >> 4) - 8) * d;
  }
};
