import { weightFormats } from '@pocketllm/abi';
import { readHalf } from './bytes.js';
import type { DecodeBlock } from './decode-block.js';

const { q, scale } = weightFormats.tq2_0.fields;

export const decodeTq2_0: DecodeBlock = (bytes, block, out, to) => {
  const d = readHalf(bytes, block + scale.offset);
  for (let i = 0; i < 256; i++) {
    const byte = bytes[block + q.offset + 32 * (i >> 7) + (i & 31)]!;
    out[to + i] = (((byte >> (2 * ((i & 127) >> 5))) & 3) - 1) * d;
  }
};
