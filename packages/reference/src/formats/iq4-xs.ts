import { iq4Values, weightFormats } from '@pocketllm/abi';
import { readHalf, readU16 } from './bytes.js';
import type { DecodeBlock } from './decode-block.js';

const { scale, subScalesHigh, subScales, q } = weightFormats.iq4_xs.fields;

export const decodeIq4Xs: DecodeBlock = (bytes, block, out, to) => {
  const d = readHalf(bytes, block + scale.offset);
  const high = readU16(bytes, block + subScalesHigh.offset);
  for (let sub = 0; sub < 8; sub++) {
    const low = (bytes[block + subScales.offset + (sub >> 1)]! >> (4 * (sub & 1))) & 15;
    const step = Math.fround(d * ((low | (((high >> (2 * sub)) & 3) << 4)) - 32));
    for (let j = 0; j < 16; j++) {
      const pair = bytes[block + q.offset + 16 * sub + j]!;
      out[to + 32 * sub + j] = step * iq4Values[pair & 15]!;
      out[to + 32 * sub + j + 16] = step * iq4Values[pair >> 4]!;
    }
  }
};
