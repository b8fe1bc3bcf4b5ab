import { readU32 } from './bytes.js';
import type { DecodeBlock } from './decode-block.js';
import { floatOfBits } from './half.js';

export const decodeF32: DecodeBlock = (bytes, block, out, to) => {
  out[to] = floatOfBits(readU32(bytes, block));
};
