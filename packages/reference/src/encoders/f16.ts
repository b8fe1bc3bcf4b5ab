import type { EncodeBlock } from './encode-block.js';
import { writeHalf } from './write.js';

export const encodeF16: EncodeBlock = (x, from, _importance, out, to) => {
  writeHalf(out, to, x[from]!);
};
