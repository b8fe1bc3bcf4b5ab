import { activationFunctions, ops } from '@pocketllm/abi';
import { extremesOf, filled, scaled } from '../data/filler.js';
import { floatsOf } from './case.js';
import { casesFor } from './cases-for.js';
import { around } from './lists.js';

export const activationCases = activationFunctions.flatMap((name) =>
  casesFor(ops.activation, {
    sizes: { rows: [1, 3, 5], cols: around(4, 64, 1024) },
    attributes: { function: [name] },
    operands: { x: scaled(3) },
    // x times a function of it between 0 and 1, which may be formed from terms of size 1.
    terms: {
      out: (call) => {
        const x = floatsOf(call, 'x');
        return (i) => ({ functions: Math.abs(x[i]!) });
      },
    },
    prefix: name,
    edges: {
      ...extremesOf('x'),
      'large negative values give zero and not NaN': { x: filled(-1e4) },
    },
  }),
);
