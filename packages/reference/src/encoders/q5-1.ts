import { weightFormats } from '@pocketllm/abi';
import { affineRun, fitAffineHalves } from './affine-fit.js';
import type { EncodeBlock } from './encode-block.js';
import { writeFifthBits, writeHalf, writeNibbles } from './write.js';

const { fields } = weightFormats.q5_1;

export const encodeQ5_1: EncodeBlock = (x, from, importance, out, to) => {
  const codes = new Uint8Array(32);
  const range = { highest: 31, positiveOffset: true };
  const { scale, offset } = fitAffineHalves(affineRun(x, from, 32, importance, range, codes, 0));
  writeHalf(out, to + fields.scale.offset, scale);
  writeHalf(out, to + fields.min.offset, offset);
  writeFifthBits(out, to + fields.qHigh.offset, codes);
  writeNibbles(out, to + fields.q.offset, codes, 16);
};
