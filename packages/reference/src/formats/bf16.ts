import { readU16 } from './bytes.js';
import type { DecodeBlock } from './decode-block.js';
import { floatOfBf16 } from './half.js';

export const decodeBf16: DecodeBlock = (bytes, block, out, to) => {
  out[to] = floatOfBf16(readU16(bytes, block));
};
