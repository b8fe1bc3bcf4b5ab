import { ops } from '@pocketllm/abi';
import { extremesOf } from '../data/filler.js';
import { casesFor } from './cases-for.js';
import { around } from './lists.js';

export const multiplyCases = casesFor(ops.multiply, {
  sizes: { rows: [1, 3, 5], cols: around(4, 64, 1024) },
  edges: extremesOf('x', 'y'),
});
