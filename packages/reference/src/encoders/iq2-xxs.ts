import { codeBooks, weightFormats } from '@pocketllm/abi';
import type { EncodeBlock } from './encode-block.js';
import { gridOf } from './grid.js';
import { oddLevels } from './levels.js';
import { fitSignedGrid } from './signed-grid.js';
import { writeHalf, writeU32 } from './write.js';

const { fields } = weightFormats.iq2_xxs;
const layout = {
  grid: gridOf(codeBooks.iq2_xxs),
  subBlock: 32,
  subLevels: oddLevels(16, 1 / 8),
  evenSigns: true,
};

export const encodeIq2Xxs: EncodeBlock = (x, from, importance, out, to) => {
  const { scale, subCodes, points, signs } = fitSignedGrid(x, from, importance, layout);
  writeHalf(out, to + fields.scale.offset, scale);
  for (let s = 0; s < 8; s++) {
    const at = to + fields.q.offset + 8 * s;
    let word = subCodes[s]! << 28;
    for (let g = 0; g < 4; g++) {
      out[at + g] = points[4 * s + g]!;
      word |= (signs[4 * s + g]! & 127) << (7 * g);
    }
    writeU32(out, at + 4, word);
  }
};
