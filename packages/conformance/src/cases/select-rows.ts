import { ops } from '@pocketllm/abi';
import { extremesOf, indicesBelow, integers } from '../data/filler.js';
import { casesFor } from './cases-for.js';

export const selectRowsCases = casesFor(ops.select_rows, {
  sizes: { rows: [1, 9, 5, 33], selected: [1, 2, 5, 7], cols: [1, 33, 64, 1000] },
  operands: { selection: indicesBelow('rows') },
  edges: {
    ...extremesOf('x'),
    'rows come in the order of the selection': { selection: integers(32, 4, 0, 31, 1) },
    'one row may come twice': { selection: integers(5, 5, 2) },
  },
});
