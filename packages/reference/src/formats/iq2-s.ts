import { codeBooks, valuesOfCodeBook, weightFormats } from '@pocketllm/abi';
import { readHalf } from './bytes.js';
import type { DecodeBlock } from './decode-block.js';
import { stepOf, writeSignedPoint } from './signed-point.js';

const { scale, q, signs, qHigh, subScales } = weightFormats.iq2_s.fields;
const points = valuesOfCodeBook(codeBooks.iq2_s);

export const decodeIq2S: DecodeBlock = (bytes, block, out, to) => {
  const d = readHalf(bytes, block + scale.offset);
  for (let g = 0; g < 32; g++) {
    const high = (bytes[block + qHigh.offset + (g >> 2)]! >> (2 * (g & 3))) & 3;
    const index = bytes[block + q.offset + g]! | (high << 8);
    const subScale = (bytes[block + subScales.offset + (g >> 2)]! >> (2 * (g & 2))) & 15;
    const step = stepOf(d, subScale, 0.25);
    writeSignedPoint(out, to + 8 * g, points, 8, index, step, bytes[block + signs.offset + g]!);
  }
};
