import { codeBooks, valuesOfCodeBook, weightFormats } from '@pocketllm/abi';
import { readHalf, readU16 } from './bytes.js';
import type { DecodeBlock } from './decode-block.js';

const { scale, q, qHigh } = weightFormats.iq1_s.fields;
const points = valuesOfCodeBook(codeBooks.iq1_s);

export const decodeIq1S: DecodeBlock = (bytes, block, out, to) => {
  const d = readHalf(bytes, block + scale.offset);
  for (let sub = 0; sub < 8; sub++) {
    const high = readU16(bytes, block + qHigh.offset + 2 * sub);
    const step = Math.fround(d * (2 * ((high >> 12) & 7) + 1));
    const shift = high & 0x8000 ? -0.125 : 0.125;
    for (let g = 0; g < 4; g++) {
      const index = bytes[block + q.offset + 4 * sub + g]! | (((high >> (3 * g)) & 7) << 8);
      for (let k = 0; k < 8; k++) {
        out[to + 32 * sub + 8 * g + k] = step * (points[8 * index + k]! + shift);
      }
    }
  }
};
