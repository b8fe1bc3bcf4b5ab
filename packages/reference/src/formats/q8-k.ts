import { weightFormats } from '@pocketllm/abi';
import { readI8, readU32 } from './bytes.js';
import type { DecodeBlock } from './decode-block.js';
import { floatOfBits } from './half.js';

const { scale, q } = weightFormats.q8_k.fields;

export const decodeQ8_K: DecodeBlock = (bytes, block, out, to) => {
  const d = floatOfBits(readU32(bytes, block + scale.offset));
  for (let i = 0; i < q.count; i++) out[to + i] = readI8(bytes, block + q.offset + i) * d;
};
