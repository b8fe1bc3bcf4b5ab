import { codeBooks, weightFormats } from '@pocketllm/abi';
import type { EncodeBlock } from './encode-block.js';
import { gridOf } from './grid.js';
import { fitShiftedGrid } from './shifted-grid.js';
import { writeHalf, writeU16 } from './write.js';

const { fields } = weightFormats.iq1_s;
const layout = { grid: gridOf(codeBooks.iq1_s), subBlock: 32, shiftBlock: 32 };

export const encodeIq1S: EncodeBlock = (x, from, importance, out, to) => {
  const { scale, subCodes, points, shifts } = fitShiftedGrid(x, from, importance, layout);
  writeHalf(out, to + fields.scale.offset, scale);
  for (let s = 0; s < 8; s++) {
    let high = (shifts[4 * s]! << 15) | (subCodes[s]! << 12);
    for (let g = 0; g < 4; g++) {
      out[to + fields.q.offset + 4 * s + g] = points[4 * s + g]!;
      high |= (points[4 * s + g]! >> 8) << (3 * g);
    }
    writeU16(out, to + fields.qHigh.offset + 2 * s, high);
  }
};
