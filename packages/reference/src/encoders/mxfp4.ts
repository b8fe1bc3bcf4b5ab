import { fp4Values, weightFormats } from '@pocketllm/abi';
import type { EncodeBlock } from './encode-block.js';
import { bestIndex, scalarRun } from './fit.js';
import { largestOf } from './largest.js';
import { tableLevels } from './levels.js';
import { writeNibbles } from './write.js';

const { fields } = weightFormats.mxfp4;
const levels = tableLevels(fp4Values);

const stepOf = (exponent: number) => 2 ** (exponent - 128);
const largestExponent = 254;

export const encodeMxfp4: EncodeBlock = (x, from, importance, out, to) => {
  const codes = new Uint8Array(32);
  const run = scalarRun(x, from, 32, importance, levels, codes, 0);
  const largest = Math.abs(largestOf(x, from, 32));
  // The smallest exponent at which the largest weight is not cut off; smaller ones may suit the others better.
  let fitting = 0;
  while (fitting < largestExponent && 12 * stepOf(fitting) < largest) fitting++;
  const { index: exponent } = bestIndex(run, stepOf, Math.max(fitting - 2, 0), fitting);
  out[to + fields.exponent.offset] = exponent;
  writeNibbles(out, to + fields.q.offset, codes, 16);
};
