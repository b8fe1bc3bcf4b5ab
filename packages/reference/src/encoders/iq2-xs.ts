import { codeBooks, weightFormats } from '@pocketllm/abi';
import type { EncodeBlock } from './encode-block.js';
import { gridOf } from './grid.js';
import { oddLevels } from './levels.js';
import { fitSignedGrid } from './signed-grid.js';
import { writeHalf, writeSubNibbles, writeU16 } from './write.js';

const { fields } = weightFormats.iq2_xs;
const layout = {
  grid: gridOf(codeBooks.iq2_xs),
  subBlock: 16,
  subLevels: oddLevels(16, 1 / 8),
  evenSigns: true,
};

export const encodeIq2Xs: EncodeBlock = (x, from, importance, out, to) => {
  const { scale, subCodes, points, signs } = fitSignedGrid(x, from, importance, layout);
  writeHalf(out, to + fields.scale.offset, scale);
  for (let g = 0; g < 32; g++) {
    writeU16(out, to + fields.q.offset + 2 * g, points[g]! | ((signs[g]! & 127) << 9));
  }
  writeSubNibbles(out, to + fields.subScales.offset, subCodes);
};
