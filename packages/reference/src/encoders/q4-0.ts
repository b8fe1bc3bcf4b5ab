import { weightFormats } from '@pocketllm/abi';
import type { EncodeBlock } from './encode-block.js';
import { fitScalars } from './fit.js';
import { integerLevels } from './levels.js';
import { writeHalf, writeNibbles } from './write.js';

const { fields } = weightFormats.q4_0;
const levels = integerLevels(-8, 7);

export const encodeQ4_0: EncodeBlock = (x, from, importance, out, to) => {
  const { scale, codes } = fitScalars(x, from, 32, importance, levels);
  writeHalf(out, to + fields.scale.offset, scale);
  writeNibbles(out, to + fields.q.offset, codes, 16);
};
