import { bf16OfFloat } from '../formats/half.js';
import type { EncodeBlock } from './encode-block.js';
import { writeU16 } from './write.js';

export const encodeBf16: EncodeBlock = (x, from, _importance, out, to) => {
  writeU16(out, to, bf16OfFloat(x[from]!));
};
