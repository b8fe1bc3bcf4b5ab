import { choice } from './attribute-spec.js';
import { defineOp } from './define-op.js';
import { activation, indices } from './tensor-spec.js';

/**
 * Joins the rows of each range into one (embeddings of a text).
 *
 *     out[s, c] = mean, first or last over r = ranges[s, 0] .. ranges[s, 1] - 1 of x[r, c]
 *
 * A range holds at least one row. The mean is summed in f32 or wider.
 */
export const pool = defineOp({
  name: 'pool',
  number: 15,
  since: 1,
  summary: 'Joins the rows of each range into one: their mean, the first or the last.',
  formula: 'out[s, c] = mean, first or last over ranges[s, 0] <= r < ranges[s, 1] of x[r, c]',
  inputs: { x: activation('rows', 'cols'), ranges: indices('selected', '2') },
  outputs: { out: activation('selected', 'cols') },
  attributes: { function: choice('mean', 'first', 'last') },
  mayAlias: [],
  tolerance: { sumsOver: 'rows' },
  cost: { flops: ({ rows, cols }) => rows! * cols! },
});
