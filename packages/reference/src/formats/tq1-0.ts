import { weightFormats } from '@pocketllm/abi';
import { readHalf } from './bytes.js';
import type { DecodeBlock } from './decode-block.js';

const { q, qLast, scale } = weightFormats.tq1_0.fields;

const powersOf3 = [1, 3, 9, 27, 81];

/** Runs of bytes whose digits stand for consecutive weights: all digits 0 first, then all digits 1, ... */
const runs = [
  { from: q.offset, bytes: 32, digits: 5 },
  { from: q.offset + 32, bytes: 16, digits: 5 },
  { from: qLast.offset, bytes: 4, digits: 4 },
];

export const decodeTq1_0: DecodeBlock = (bytes, block, out, to) => {
  const d = readHalf(bytes, block + scale.offset);
  let i = to;
  for (const run of runs) {
    for (let n = 0; n < run.digits; n++) {
      for (let m = 0; m < run.bytes; m++) {
        const fraction = (bytes[block + run.from + m]! * powersOf3[n]!) & 255;
        out[i++] = (((fraction * 3) >> 8) - 1) * d;
      }
    }
  }
};
