import { choice } from './attribute-spec.js';
import { defineOp } from './define-op.js';
import { activation } from './tensor-spec.js';

/**
 * Applies a function to the gate and multiplies by the other half of a gated feed-forward layer.
 *
 *     out[r, c] = function(gate[r, c]) * up[r, c]
 *
 * Stands for `activation` followed by `multiply`.
 */
export const gatedActivation = defineOp({
  name: 'gated_activation',
  number: 9,
  since: 1,
  summary: 'Applies a function to the gate and multiplies by the other half of a gated layer.',
  formula: 'out[r, c] = function(gate[r, c]) * up[r, c]',
  inputs: { gate: activation('rows', 'cols'), up: activation('rows', 'cols') },
  outputs: { out: activation('rows', 'cols') },
  attributes: { function: choice('silu', 'gelu_tanh') },
  mayAlias: ['gate', 'up'],
  tolerance: { functions: 2 ** -20 },
  cost: { flops: ({ rows, cols }) => 5 * rows! * cols! },
  decomposition: [
    { op: 'activation', inputs: { x: '$gate' }, attributes: { function: '$function' }, output: 'activated' },
    { op: 'multiply', inputs: { x: 'activated', y: '$up' }, attributes: {}, output: 'out' },
  ],
});
