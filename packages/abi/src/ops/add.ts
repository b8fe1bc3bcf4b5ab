import { defineOp } from './define-op.js';
import { activation } from './tensor-spec.js';

/**
 * Adds two activations element by element.
 *
 *     out[r, c] = x[r, c] + y[r, c]
 */
export const add = defineOp({
  name: 'add',
  number: 10,
  since: 1,
  summary: 'Adds two activations element by element.',
  formula: 'out[r, c] = x[r, c] + y[r, c]',
  inputs: { x: activation('rows', 'cols'), y: activation('rows', 'cols') },
  outputs: { out: activation('rows', 'cols') },
  attributes: {},
  mayAlias: ['x', 'y'],
  tolerance: {},
  cost: { flops: ({ rows, cols }) => rows! * cols! },
});
