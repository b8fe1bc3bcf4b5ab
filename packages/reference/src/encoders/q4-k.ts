import { weightFormats } from '@pocketllm/abi';
import type { EncodeBlock } from './encode-block.js';
import { encodeSixBitPairs } from './six-bit-pairs.js';
import { writeNibbles } from './write.js';

const { fields } = weightFormats.q4_k;

export const encodeQ4_K: EncodeBlock = (x, from, importance, out, to) => {
  const codes = encodeSixBitPairs(x, from, importance, 15, fields, out, to);
  writeNibbles(out, to + fields.q.offset, codes, 32);
};
