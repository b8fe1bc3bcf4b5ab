import { weightFormats } from '@pocketllm/abi';
import type { EncodeBlock } from './encode-block.js';
import { fitScalars } from './fit.js';
import { integerLevels } from './levels.js';
import { writeFifthBits, writeHalf, writeNibbles } from './write.js';

const { fields } = weightFormats.q5_0;
const levels = integerLevels(-16, 15);

export const encodeQ5_0: EncodeBlock = (x, from, importance, out, to) => {
  const { scale, codes } = fitScalars(x, from, 32, importance, levels);
  writeHalf(out, to + fields.scale.offset, scale);
  writeFifthBits(out, to + fields.qHigh.offset, codes);
  writeNibbles(out, to + fields.q.offset, codes, 16);
};
