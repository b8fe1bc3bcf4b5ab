import { weightFormats } from '@pocketllm/abi';
import { affineRun, fitAffineHalves } from './affine-fit.js';
import type { EncodeBlock } from './encode-block.js';
import { writeHalf, writeNibbles } from './write.js';

const { fields } = weightFormats.q4_1;

export const encodeQ4_1: EncodeBlock = (x, from, importance, out, to) => {
  const codes = new Uint8Array(32);
  const range = { highest: 15, positiveOffset: true };
  const { scale, offset } = fitAffineHalves(affineRun(x, from, 32, importance, range, codes, 0));
  writeHalf(out, to + fields.scale.offset, scale);
  writeHalf(out, to + fields.min.offset, offset);
  writeNibbles(out, to + fields.q.offset, codes, 16);
};
