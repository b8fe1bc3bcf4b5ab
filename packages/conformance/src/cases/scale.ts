import { ops } from '@pocketllm/abi';
import { extremesOf } from '../data/filler.js';
import { casesFor } from './cases-for.js';
import { around } from './lists.js';

export const scaleCases = casesFor(ops.scale, {
  sizes: { rows: [1, 3, 5], cols: around(4, 64, 1024) },
  attributes: { factor: [0.125, -3.3, 0, 45.254833995939045] },
  edges: extremesOf('x'),
});
