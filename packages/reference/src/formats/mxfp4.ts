import { fp4Values, weightFormats } from '@pocketllm/abi';
import type { DecodeBlock } from './decode-block.js';

const { exponent, q } = weightFormats.mxfp4.fields;

export const decodeMxfp4: DecodeBlock = (bytes, block, out, to) => {
  const d = 2 ** (bytes[block + exponent.offset]! - 128);
  for (let j = 0; j < 16; j++) {
    const pair = bytes[block + q.offset + j]!;
    out[to + j] = fp4Values[pair & 15]! * d;
    out[to + j + 16] = fp4Values[pair >> 4]! * d;
  }
};
