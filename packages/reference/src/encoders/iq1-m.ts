import { codeBooks, weightFormats } from '@pocketllm/abi';
import { halfOfFloat } from '../formats/half.js';
import type { EncodeBlock } from './encode-block.js';
import { gridOf } from './grid.js';
import { fitShiftedGrid } from './shifted-grid.js';
import { writeU16 } from './write.js';

const { fields } = weightFormats.iq1_m;
const layout = { grid: gridOf(codeBooks.iq1_s), subBlock: 16, shiftBlock: 8 };

export const encodeIq1M: EncodeBlock = (x, from, importance, out, to) => {
  const { scale, subCodes, points, shifts } = fitShiftedGrid(x, from, importance, layout);
  for (let g = 0; g < 32; g++) {
    out[to + fields.q.offset + g] = points[g]!;
    const high = (points[g]! >> 8) | (shifts[g]! << 3);
    out[to + fields.qHigh.offset + (g >> 1)]! |= high << (4 * (g & 1));
  }
  const half = halfOfFloat(scale);
  for (let word = 0; word < 4; word++) {
    let bits = ((half >> (4 * word)) & 15) << 12;
    for (let s = 0; s < 4; s++) bits |= subCodes[4 * word + s]! << (3 * s);
    writeU16(out, to + fields.subScales.offset + 2 * word, bits);
  }
};
