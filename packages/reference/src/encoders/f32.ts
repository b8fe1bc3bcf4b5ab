import { bitsOfFloat } from '../formats/half.js';
import type { EncodeBlock } from './encode-block.js';
import { writeU32 } from './write.js';

export const encodeF32: EncodeBlock = (x, from, _importance, out, to) => {
  writeU32(out, to, bitsOfFloat(x[from]!));
};
