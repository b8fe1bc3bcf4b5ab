import { codeBooks, evenSigns, valuesOfCodeBook, weightFormats } from '@pocketllm/abi';
import { readHalf, readU32 } from './bytes.js';
import type { DecodeBlock } from './decode-block.js';
import { stepOf, writeSignedPoint } from './signed-point.js';

const { scale, q, signs } = weightFormats.iq3_xxs.fields;
const points = valuesOfCodeBook(codeBooks.iq3_xxs);

export const decodeIq3Xxs: DecodeBlock = (bytes, block, out, to) => {
  const d = readHalf(bytes, block + scale.offset);
  for (let sub = 0; sub < 8; sub++) {
    const signsAndScale = readU32(bytes, block + signs.offset + 4 * sub);
    const step = stepOf(d, signsAndScale >>> 28, 0.5);
    for (let g = 0; g < 8; g++) {
      const eight = evenSigns[(signsAndScale >>> (7 * (g >> 1))) & 127]!;
      const index = bytes[block + q.offset + 8 * sub + g]!;
      writeSignedPoint(out, to + 32 * sub + 4 * g, points, 4, index, step, eight >> (4 * (g & 1)));
    }
  }
};
