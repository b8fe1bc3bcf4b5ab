import { ops } from '@pocketllm/abi';
import { type Filler, filled, normal } from '../data/filler.js';
import { casesFor } from './cases-for.js';
import { around } from './lists.js';

const randomBits: Filler = ({ count, random }) => Int32Array.from({ length: count }, () => random.word() | 0);
const allBits =
  (word: number): Filler =>
  ({ count }) =>
    new Int32Array(count).fill(word);
const evenNaN: Filler = (context) => normal(context).map((value, i) => (i % 2 === 0 ? Number.NaN : value));

export const maskLogitsCases = casesFor(ops.mask_logits, {
  sizes: { rows: [1, 3, 2], cols: [...around(2, 32, 64, 1000), 151_936] },
  operands: { mask: randomBits },
  edges: {
    'a mask without a bit forbids everything': { mask: allBits(0) },
    'a mask of all bits changes nothing': { mask: allBits(-1) },
    'the sign bit of a word is a bit like the others': { mask: allBits(-(2 ** 31)) },
    'what is forbidden is -infinity, whatever it was': { x: evenNaN, mask: allBits(0x55555555 << 1) },
    'values of 6e4 do not overflow': { x: filled(6e4) },
  },
});
