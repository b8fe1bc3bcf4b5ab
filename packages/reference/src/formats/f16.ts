import { readHalf } from './bytes.js';
import type { DecodeBlock } from './decode-block.js';

export const decodeF16: DecodeBlock = (bytes, block, out, to) => {
  out[to] = readHalf(bytes, block);
};
