import { weightFormats } from '@pocketllm/abi';
import type { EncodeBlock } from './encode-block.js';
import { roundToHalf } from './fit.js';
import { encodeBytes } from './q8-0.js';
import { writeHalf } from './write.js';

const { fields } = weightFormats.q8_1;

export const encodeQ8_1: EncodeBlock = (x, from, _importance, out, to) => {
  const codes = new Int8Array(32);
  const scale = encodeBytes(x, from, codes);
  const sum = codes.reduce((total, code) => total + code, 0);
  writeHalf(out, to + fields.scale.offset, roundToHalf(scale));
  writeHalf(out, to + fields.sum.offset, roundToHalf(Math.fround(scale * sum)));
  out.set(new Uint8Array(codes.buffer), to + fields.q.offset);
};
