import { iq4Values, weightFormats } from '@pocketllm/abi';
import type { EncodeBlock } from './encode-block.js';
import { integerLevels, tableLevels } from './levels.js';
import { fitScalarSuperBlock } from './super-block.js';
import { writeHalf, writeNibbles, writeSubNibbles } from './write.js';

const { fields } = weightFormats.iq4_xs;
const levels = tableLevels(iq4Values);
const subLevels = integerLevels(-32, 31);

export const encodeIq4Xs: EncodeBlock = (x, from, importance, out, to) => {
  const { scale, subCodes, codes } = fitScalarSuperBlock(x, from, 32, importance, levels, subLevels);
  writeHalf(out, to + fields.scale.offset, scale);
  writeSubNibbles(out, to + fields.subScales.offset, subCodes);
  for (let s = 0; s < 8; s++) {
    out[to + fields.subScalesHigh.offset + (s >> 2)]! |= (subCodes[s]! >> 4) << (2 * (s & 3));
  }
  writeNibbles(out, to + fields.q.offset, codes, 16);
};
