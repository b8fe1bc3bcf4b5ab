import { fp4Values, weightFormats } from '@pocketllm/abi';
import { scaleOfUe4m3 } from '../formats/nvfp4.js';
import type { EncodeBlock } from './encode-block.js';
import { bestIndex, scalarRun } from './fit.js';
import { largestOf } from './largest.js';
import { tableLevels } from './levels.js';
import { writeNibbles } from './write.js';

const { fields } = weightFormats.nvfp4;
const levels = tableLevels(fp4Values);

const largestByte = 126;

export const encodeNvfp4: EncodeBlock = (x, from, importance, out, to) => {
  const codes = new Uint8Array(64);
  for (let sub = 0; sub < 4; sub++) {
    const first = from + 16 * sub;
    const run = scalarRun(x, first, 16, importance, levels, codes, 16 * sub);
    const largest = Math.abs(largestOf(x, first, 16));
    // The smallest scale at which the largest weight is not cut off; others nearby may suit the rest better.
    let fitting = 0;
    while (fitting < largestByte && 12 * scaleOfUe4m3(fitting) < largest) fitting++;
    const around = [Math.max(fitting - 8, 0), Math.min(fitting + 4, largestByte)] as const;
    const { index: byte } = bestIndex(run, scaleOfUe4m3, ...around);
    out[to + fields.subScales.offset + sub] = byte;
  }
  writeNibbles(out, to + fields.q.offset, codes, 8);
};
