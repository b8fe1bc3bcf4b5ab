import { weightFormats } from '@pocketllm/abi';
import type { EncodeBlock } from './encode-block.js';
import { fitTernary } from './ternary.js';
import { writeHalf, writeTwoBits } from './write.js';

const { fields } = weightFormats.tq2_0;

export const encodeTq2_0: EncodeBlock = (x, from, importance, out, to) => {
  const { scale, codes } = fitTernary(x, from, importance);
  writeTwoBits(out, to + fields.q.offset, codes);
  writeHalf(out, to + fields.scale.offset, scale);
};
