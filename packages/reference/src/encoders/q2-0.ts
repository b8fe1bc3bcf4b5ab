import { weightFormats } from '@pocketllm/abi';
import type { EncodeBlock } from './encode-block.js';
import { fitScalars } from './fit.js';
import { integerLevels } from './levels.js';
import { writeHalf } from './write.js';

const { fields } = weightFormats.q2_0;
const levels = integerLevels(-1, 2);

export const encodeQ2_0: EncodeBlock = (x, from, importance, out, to) => {
  const { scale, codes } = fitScalars(x, from, 64, importance, levels);
  writeHalf(out, to + fields.scale.offset, scale);
  for (let i = 0; i < 64; i++) out[to + fields.q.offset + (i >> 2)]! |= codes[i]! << (2 * (i & 3));
};
