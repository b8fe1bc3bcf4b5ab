import { codeBooks, valuesOfCodeBook, weightFormats } from '@pocketllm/abi';
import { readHalf } from './bytes.js';
import type { DecodeBlock } from './decode-block.js';
import { writeSignedPoint } from './signed-point.js';

const { scale, q, qHigh, signs, subScales } = weightFormats.iq3_s.fields;
const points = valuesOfCodeBook(codeBooks.iq3_s);

export const decodeIq3S: DecodeBlock = (bytes, block, out, to) => {
  const d = readHalf(bytes, block + scale.offset);
  for (let g = 0; g < 64; g++) {
    const sub = g >> 3;
    const subScale = (bytes[block + subScales.offset + (sub >> 1)]! >> (4 * (sub & 1))) & 15;
    const high = (bytes[block + qHigh.offset + sub]! >> (g & 7)) & 1;
    const index = bytes[block + q.offset + g]! | (high << 8);
    const four = bytes[block + signs.offset + (g >> 1)]! >> (4 * (g & 1));
    writeSignedPoint(out, to + 4 * g, points, 4, index, Math.fround(d * (1 + 2 * subScale)), four);
  }
};
