import { codeBooks, evenSigns, valuesOfCodeBook, weightFormats } from '@pocketllm/abi';
import { readHalf, readU16 } from './bytes.js';
import type { DecodeBlock } from './decode-block.js';
import { stepOf, writeSignedPoint } from './signed-point.js';

const { scale, q, subScales } = weightFormats.iq2_xs.fields;
const points = valuesOfCodeBook(codeBooks.iq2_xs);

export const decodeIq2Xs: DecodeBlock = (bytes, block, out, to) => {
  const d = readHalf(bytes, block + scale.offset);
  for (let g = 0; g < 32; g++) {
    const code = readU16(bytes, block + q.offset + 2 * g);
    const subScale = (bytes[block + subScales.offset + (g >> 2)]! >> (2 * (g & 2))) & 15;
    writeSignedPoint(
      out,
      to + 8 * g,
      points,
      8,
      code & 511,
      stepOf(d, subScale, 0.25),
      evenSigns[code >> 9]!,
    );
  }
};
