import { iq4Values, weightFormats } from '@pocketllm/abi';
import type { EncodeBlock } from './encode-block.js';
import { fitScalars } from './fit.js';
import { tableLevels } from './levels.js';
import { writeHalf, writeNibbles } from './write.js';

const { fields } = weightFormats.iq4_nl;
const levels = tableLevels(iq4Values);

export const encodeIq4Nl: EncodeBlock = (x, from, importance, out, to) => {
  const { scale, codes } = fitScalars(x, from, 32, importance, levels);
  writeHalf(out, to + fields.scale.offset, scale);
  writeNibbles(out, to + fields.q.offset, codes, 16);
};
