import { defineOp } from './define-op.js';
import { activation, indices } from './tensor-spec.js';

/**
 * Keeps the rows whose result is wanted.
 *
 *     out[s, c] = x[selection[s], c]
 */
export const selectRows = defineOp({
  name: 'select_rows',
  number: 14,
  since: 1,
  summary: 'Keeps the rows whose result is wanted.',
  formula: 'out[s, c] = x[selection[s], c]',
  inputs: { x: activation('rows', 'cols'), selection: indices('selected') },
  outputs: { out: activation('selected', 'cols') },
  attributes: {},
  mayAlias: [],
  tolerance: {},
  cost: {
    flops: () => 0,
    bytes: (_sizes, bytesOf) => bytesOf('selection') + 2 * bytesOf('out'),
  },
});
