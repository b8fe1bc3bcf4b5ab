import { weightFormats } from '@pocketllm/abi';
import { affineRun } from './affine-fit.js';
import { fitAffineSuperBlock } from './affine-super-block.js';
import type { EncodeBlock } from './encode-block.js';
import { writeHalf, writeTwoBits } from './write.js';

const { fields } = weightFormats.q2_k;
const range = { highest: 3, positiveOffset: false };

export const encodeQ2_K: EncodeBlock = (x, from, importance, out, to) => {
  const codes = new Uint8Array(256);
  const runs = Array.from({ length: 16 }, (_, s) =>
    affineRun(x, from + 16 * s, 16, importance, range, codes, 16 * s),
  );
  const { scale, min, scaleCodes, minCodes } = fitAffineSuperBlock(runs, 15);
  for (let s = 0; s < 16; s++) out[to + fields.subScales.offset + s] = scaleCodes[s]! | (minCodes[s]! << 4);
  writeTwoBits(out, to + fields.q.offset, codes);
  writeHalf(out, to + fields.scale.offset, scale);
  writeHalf(out, to + fields.min.offset, min);
};
