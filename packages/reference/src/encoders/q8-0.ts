import { weightFormats } from '@pocketllm/abi';
import type { EncodeBlock } from './encode-block.js';
import { roundToHalf } from './fit.js';
import { largestOf } from './largest.js';
import { writeHalf } from './write.js';

const { fields } = weightFormats.q8_0;

/**
 * Codes of 32 weights for a scale of the largest magnitude / 127, rounded half away from zero, in single
 * precision: the rule that every engine follows, for weights and for activations alike.
 *
 * @returns the scale before it is rounded to a half
 */
export function encodeBytes(x: Float32Array, from: number, codes: Int8Array): number {
  const scale = Math.fround(Math.abs(largestOf(x, from, 32)) / 127);
  const inverse = scale === 0 ? 0 : Math.fround(1 / scale);
  for (let i = 0; i < 32; i++) {
    const scaled = Math.fround(x[from + i]! * inverse);
    codes[i] = Math.sign(scaled) * Math.min(Math.round(Math.abs(scaled)), 127);
  }
  return scale;
}

export const encodeQ8_0: EncodeBlock = (x, from, _importance, out, to) => {
  const codes = new Int8Array(32);
  writeHalf(out, to + fields.scale.offset, roundToHalf(encodeBytes(x, from, codes)));
  out.set(new Uint8Array(codes.buffer), to + fields.q.offset);
};
