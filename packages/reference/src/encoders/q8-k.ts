import { weightFormats } from '@pocketllm/abi';
import { bitsOfFloat, roundHalfToEven } from '../formats/half.js';
import type { EncodeBlock } from './encode-block.js';
import { largestOf } from './largest.js';
import { writeU16, writeU32 } from './write.js';

const { fields } = weightFormats.q8_k;

/** The weight of largest magnitude becomes -127, so the scale has the sign that it has not. */
export const encodeQ8_K: EncodeBlock = (x, from, _importance, out, to) => {
  const largest = largestOf(x, from, 256);
  if (largest === 0) return;
  const inverse = Math.fround(-127 / largest);
  writeU32(out, to + fields.scale.offset, bitsOfFloat(1 / inverse));
  for (let sub = 0; sub < 16; sub++) {
    let sum = 0;
    for (let i = 16 * sub; i < 16 * sub + 16; i++) {
      const code = Math.min(127, roundHalfToEven(Math.fround(inverse * x[from + i]!)));
      out[to + fields.q.offset + i] = code;
      sum += code;
    }
    writeU16(out, to + fields.sums.offset + 2 * sub, sum);
  }
};
