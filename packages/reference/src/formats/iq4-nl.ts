import { iq4Values, weightFormats } from '@pocketllm/abi';
import { readHalf } from './bytes.js';
import type { DecodeBlock } from './decode-block.js';

const { scale, q } = weightFormats.iq4_nl.fields;

export const decodeIq4Nl: DecodeBlock = (bytes, block, out, to) => {
  const d = readHalf(bytes, block + scale.offset);
  for (let j = 0; j < 16; j++) {
    const pair = bytes[block + q.offset + j]!;
    out[to + j] = d * iq4Values[pair & 15]!;
    out[to + j + 16] = d * iq4Values[pair >> 4]!;
  }
};
