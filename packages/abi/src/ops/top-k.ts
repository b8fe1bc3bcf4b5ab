import { positiveInteger } from './attribute-spec.js';
import { defineOp } from './define-op.js';
import { activation, indices } from './tensor-spec.js';

/**
 * The k largest elements of each row, largest first; k = 1 is argmax.
 *
 *     values[r, j], ids[r, j] = the j-th largest x[r, c] and its c
 *
 * Of equal elements the one with the smaller index comes first. NaN counts as smaller than -infinity.
 * k is at most cols.
 */
export const topK = defineOp({
  name: 'top_k',
  number: 17,
  since: 1,
  summary: 'The k largest elements of each row, largest first, with their indices.',
  formula: 'values[r, j], ids[r, j] = the j-th largest x[r, c] and its c, smaller c first among equals',
  inputs: { x: activation('rows', 'cols') },
  outputs: { values: activation('rows', 'k'), ids: indices('rows', 'k') },
  attributes: { k: positiveInteger },
  constraints: [{ left: 'k', relation: 'at most', right: 'cols' }],
  mayAlias: [],
  tolerance: {},
  cost: { flops: ({ rows, cols }) => rows! * cols! },
});
