import { codeBooks, evenSigns, valuesOfCodeBook, weightFormats } from '@pocketllm/abi';
import { readHalf, readU32 } from './bytes.js';
import type { DecodeBlock } from './decode-block.js';
import { stepOf, writeSignedPoint } from './signed-point.js';

const { scale, q } = weightFormats.iq2_xxs.fields;
const points = valuesOfCodeBook(codeBooks.iq2_xxs);

export const decodeIq2Xxs: DecodeBlock = (bytes, block, out, to) => {
  const d = readHalf(bytes, block + scale.offset);
  for (let sub = 0; sub < 8; sub++) {
    const from = block + q.offset + 8 * sub;
    const signsAndScale = readU32(bytes, from + 4);
    const step = stepOf(d, signsAndScale >>> 28, 0.25);
    for (let g = 0; g < 4; g++) {
      const signs = evenSigns[(signsAndScale >>> (7 * g)) & 127]!;
      writeSignedPoint(out, to + 32 * sub + 8 * g, points, 8, bytes[from + g]!, step, signs);
    }
  }
};
