import { codeBooks, weightFormats } from '@pocketllm/abi';
import type { EncodeBlock } from './encode-block.js';
import { gridOf } from './grid.js';
import { oddLevels } from './levels.js';
import { fitSignedGrid } from './signed-grid.js';
import { writeHalf, writeSubNibbles } from './write.js';

const { fields } = weightFormats.iq3_s;
const layout = { grid: gridOf(codeBooks.iq3_s), subBlock: 32, subLevels: oddLevels(16, 1), evenSigns: false };

export const encodeIq3S: EncodeBlock = (x, from, importance, out, to) => {
  const { scale, subCodes, points, signs } = fitSignedGrid(x, from, importance, layout);
  writeHalf(out, to + fields.scale.offset, scale);
  for (let g = 0; g < 64; g++) {
    out[to + fields.q.offset + g] = points[g]!;
    out[to + fields.qHigh.offset + (g >> 3)]! |= (points[g]! >> 8) << (g & 7);
  }
  out.set(signs, to + fields.signs.offset);
  writeSubNibbles(out, to + fields.subScales.offset, subCodes);
};
