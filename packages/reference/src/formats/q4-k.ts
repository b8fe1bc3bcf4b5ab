import { weightFormats } from '@pocketllm/abi';
import { newAffineSteps, readAffineSteps } from './affine-steps.js';
import type { DecodeBlock } from './decode-block.js';

const { fields } = weightFormats.q4_k;
const steps = newAffineSteps();
const { step, low } = steps;

export const decodeQ4_K: DecodeBlock = (bytes, block, out, to) => {
  readAffineSteps(bytes, block, fields, steps);
  for (let sub = 0; sub < 8; sub++) {
    const from = block + fields.q.offset + 32 * (sub >> 1);
    const shift = 4 * (sub & 1);
    for (let j = 0; j < 32; j++) {
      out[to + 32 * sub + j] = Math.fround(step[sub]! * ((bytes[from + j]! >> shift) & 15)) - low[sub]!;
    }
  }
};
