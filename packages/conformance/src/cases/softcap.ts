import { ops } from '@pocketllm/abi';
import { extremesOf, filled, scaled } from '../data/filler.js';
import { casesFor } from './cases-for.js';
import { around } from './lists.js';

export const softcapCases = casesFor(ops.softcap, {
  sizes: { rows: [1, 3, 5], cols: around(4, 64, 1024) },
  attributes: { cap: [30, 50, 0.5] },
  operands: { x: scaled(20) },
  // tanh may be formed from terms of size 1.
  terms: {
    out:
      ({ attributes }) =>
      () => ({ functions: attributes.cap as number }),
  },
  edges: {
    ...extremesOf('x'),
    'values far beyond the cap meet it': { x: filled(-1e30) },
  },
});
