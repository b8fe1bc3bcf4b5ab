import { weightFormats } from '@pocketllm/abi';
import { readHalf, readI8 } from './bytes.js';
import type { DecodeBlock } from './decode-block.js';

const { scale, q } = weightFormats.q8_1.fields;

export const decodeQ8_1: DecodeBlock = (bytes, block, out, to) => {
  const d = readHalf(bytes, block + scale.offset);
  for (let i = 0; i < q.count; i++) out[to + i] = readI8(bytes, block + q.offset + i) * d;
};
