import { weightFormats } from '@pocketllm/abi';
import { newAffineSteps, readAffineSteps } from './affine-steps.js';
import type { DecodeBlock } from './decode-block.js';

const { fields } = weightFormats.q5_k;
const steps = newAffineSteps();
const { step, low } = steps;

export const decodeQ5_K: DecodeBlock = (bytes, block, out, to) => {
  readAffineSteps(bytes, block, fields, steps);
  const highFrom = block + fields.qHigh.offset;
  for (let sub = 0; sub < 8; sub++) {
    const from = block + fields.q.offset + 32 * (sub >> 1);
    for (let j = 0; j < 32; j++) {
      const code = ((bytes[from + j]! >> (4 * (sub & 1))) & 15) | (((bytes[highFrom + j]! >> sub) & 1) << 4);
      out[to + 32 * sub + j] = Math.fround(step[sub]! * code) - low[sub]!;
    }
  }
};
