import { weightFormats } from '@pocketllm/abi';
import type { EncodeBlock } from './encode-block.js';
import { integerLevels } from './levels.js';
import { fitScalarSuperBlock } from './super-block.js';
import { writeHalf, writeNibbles, writeTwoBits } from './write.js';

const { fields } = weightFormats.q6_k;
const levels = integerLevels(-32, 31);
const subLevels = integerLevels(-128, 127);

export const encodeQ6_K: EncodeBlock = (x, from, importance, out, to) => {
  const { scale, subCodes, codes } = fitScalarSuperBlock(x, from, 16, importance, levels, subLevels);
  writeNibbles(out, to + fields.q.offset, codes, 64);
  writeTwoBits(
    out,
    to + fields.qHigh.offset,
    codes.map((code) => code >> 4),
  );
  for (let s = 0; s < 16; s++) out[to + fields.subScales.offset + s] = subLevels.values[subCodes[s]!]!;
  writeHalf(out, to + fields.scale.offset, scale);
};
