import { weightFormats } from '@pocketllm/abi';
import type { EncodeBlock } from './encode-block.js';
import { encodeSixBitPairs } from './six-bit-pairs.js';
import { writeNibbles } from './write.js';

const { fields } = weightFormats.q5_k;

export const encodeQ5_K: EncodeBlock = (x, from, importance, out, to) => {
  const codes = encodeSixBitPairs(x, from, importance, 31, fields, out, to);
  for (let i = 0; i < 256; i++) out[to + fields.qHigh.offset + (i & 31)]! |= (codes[i]! >> 4) << (i >> 5);
  writeNibbles(out, to + fields.q.offset, codes, 32);
};
