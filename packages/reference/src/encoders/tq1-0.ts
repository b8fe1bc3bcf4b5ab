import { weightFormats } from '@pocketllm/abi';
import type { EncodeBlock } from './encode-block.js';
import { fitTernary } from './ternary.js';
import { writeHalf } from './write.js';

const { fields } = weightFormats.tq1_0;

/** Runs of bytes that hold consecutive weights, the digits of a byte as far apart as the run is long. */
const runs = [
  { at: fields.q.offset, bytes: 32, digits: 5, first: 0 },
  { at: fields.q.offset + 32, bytes: 16, digits: 5, first: 160 },
  { at: fields.qLast.offset, bytes: 4, digits: 4, first: 240 },
];

export const encodeTq1_0: EncodeBlock = (x, from, importance, out, to) => {
  const { scale, codes } = fitTernary(x, from, importance);
  for (const { at, bytes, digits, first } of runs) {
    for (let m = 0; m < bytes; m++) {
      let number = 0;
      for (let n = 0; n < 5; n++) number = 3 * number + (n < digits ? codes[first + bytes * n + m]! : 0);
      // A fraction of 243, rounded up to one of 256, so that each digit comes out by a multiplication.
      out[to + at + m] = Math.ceil((number * 256) / 243);
    }
  }
  writeHalf(out, to + fields.scale.offset, scale);
};
