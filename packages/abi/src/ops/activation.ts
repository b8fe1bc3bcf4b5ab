import { activationFunctions } from './activation-function.js';
import { choice } from './attribute-spec.js';
import { defineOp } from './define-op.js';
import { activation as values } from './tensor-spec.js';

/**
 * Applies a function to each element; the formulas stand in activation-function.ts.
 *
 *     out[r, c] = function(x[r, c])
 */
export const activation = defineOp({
  name: 'activation',
  number: 8,
  since: 1,
  summary: 'Applies silu or a form of gelu to each element.',
  formula: 'out[r, c] = function(x[r, c])',
  inputs: { x: values('rows', 'cols') },
  outputs: { out: values('rows', 'cols') },
  attributes: { function: choice(...activationFunctions) },
  mayAlias: ['x'],
  tolerance: { functions: 2 ** -20 },
  cost: { flops: ({ rows, cols }) => 4 * rows! * cols! },
});
