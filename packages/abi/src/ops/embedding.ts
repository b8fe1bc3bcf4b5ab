import { defineOp } from './define-op.js';
import { activation, indices, weight } from './tensor-spec.js';

/**
 * Looks up one row of a table for each token.
 *
 *     out[r, c] = table[ids[r], c]
 *
 * Ids outside the table are the caller's fault; the runtime refuses them before a step.
 */
export const embedding = defineOp({
  name: 'embedding',
  number: 1,
  since: 1,
  summary: 'Looks up one row of a table for each token.',
  formula: 'out[r, c] = table[ids[r], c]',
  inputs: { ids: indices('rows'), table: weight('vocabulary', 'cols') },
  outputs: { out: activation('rows', 'cols') },
  attributes: {},
  mayAlias: [],
  tolerance: {},
  cost: {
    flops: () => 0,
    bytes: ({ rows, vocabulary }, bytesOf) =>
      bytesOf('ids') + bytesOf('out') + (bytesOf('table') / vocabulary!) * rows!,
  },
});
