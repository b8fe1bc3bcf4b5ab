import { weightFormats } from '@pocketllm/abi';
import type { EncodeBlock } from './encode-block.js';
import { roundToHalf } from './fit.js';
import { writeHalf } from './write.js';

const { fields } = weightFormats.q1_0;

/** The best scale for signs is the mean magnitude. */
export const encodeQ1_0: EncodeBlock = (x, from, importance, out, to) => {
  let magnitudes = 0;
  let total = 0;
  for (let i = 0; i < 128; i++) {
    const weight = x[from + i]!;
    magnitudes += importance[from + i]! * Math.abs(weight);
    total += importance[from + i]!;
    if (weight >= 0) out[to + fields.q.offset + (i >> 3)]! |= 1 << (i & 7);
  }
  writeHalf(out, to + fields.scale.offset, roundToHalf(magnitudes / total));
};
