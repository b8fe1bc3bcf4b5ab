import { codeBooks, valuesOfCodeBook, weightFormats } from '@pocketllm/abi';
import { readU16 } from './bytes.js';
import type { DecodeBlock } from './decode-block.js';
import { floatOfHalf } from './half.js';

const { q, qHigh, subScales } = weightFormats.iq1_m.fields;
const points = valuesOfCodeBook(codeBooks.iq1_s);

/** The scale of the block: a half whose four nibbles are the top nibbles of the words of `subScales`. */
function scaleOf(bytes: Uint8Array, block: number): number {
  let half = 0;
  for (let word = 0; word < 4; word++) {
    half |= (readU16(bytes, block + subScales.offset + 2 * word) >> 12) << (4 * word);
  }
  return floatOfHalf(half);
}

export const decodeIq1M: DecodeBlock = (bytes, block, out, to) => {
  const d = scaleOf(bytes, block);
  for (let g = 0; g < 32; g++) {
    const sub = g >> 1;
    const word = readU16(bytes, block + subScales.offset + 2 * (sub >> 2));
    const step = Math.fround(d * (2 * ((word >> (3 * (sub & 3))) & 7) + 1));
    const high = bytes[block + qHigh.offset + (g >> 1)]! >> (4 * (g & 1));
    const index = bytes[block + q.offset + g]! | ((high & 7) << 8);
    const shift = high & 8 ? -0.125 : 0.125;
    for (let k = 0; k < 8; k++) out[to + 8 * g + k] = step * (points[8 * index + k]! + shift);
  }
};
