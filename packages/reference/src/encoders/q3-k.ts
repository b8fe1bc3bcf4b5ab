import { weightFormats } from '@pocketllm/abi';
import type { EncodeBlock } from './encode-block.js';
import { integerLevels } from './levels.js';
import { fitScalarSuperBlock } from './super-block.js';
import { writeHalf, writeTwoBits } from './write.js';

const { fields } = weightFormats.q3_k;
const levels = integerLevels(-4, 3);
const subLevels = integerLevels(-32, 31);

export const encodeQ3_K: EncodeBlock = (x, from, importance, out, to) => {
  const { scale, subCodes, codes } = fitScalarSuperBlock(x, from, 16, importance, levels, subLevels);
  const highFrom = to + fields.qHigh.offset;
  for (let i = 0; i < 256; i++) out[highFrom + (i & 31)]! |= (codes[i]! >> 2) << (i >> 5);
  writeTwoBits(out, to + fields.q.offset, codes);
  const subFrom = to + fields.subScales.offset;
  for (let s = 0; s < 16; s++) {
    out[subFrom + (s & 7)]! |= (subCodes[s]! & 15) << (s < 8 ? 0 : 4);
    out[subFrom + 8 + (s & 3)]! |= (subCodes[s]! >> 4) << (2 * (s >> 2));
  }
  writeHalf(out, to + fields.scale.offset, scale);
};
