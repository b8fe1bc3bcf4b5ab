import { positiveFloat } from './attribute-spec.js';
import { defineOp } from './define-op.js';
import { activation, vector } from './tensor-spec.js';

/**
 * Shifts each row to mean zero, scales it to unit variance, then applies a learned gain and bias.
 *
 *     out[r, c] = (x[r, c] - mean(x[r, :])) / sqrt(variance(x[r, :]) + epsilon) * gain[c] + bias[c]
 *
 * The variance divides by cols. Both sums in f32 or wider, the variance from centred values.
 */
export const layerNorm = defineOp({
  name: 'layer_norm',
  number: 3,
  since: 1,
  summary: 'Shifts each row to mean zero and unit variance, then applies a learned gain and bias.',
  formula: 'out[r, c] = (x[r, c] - mean(x[r, :])) / sqrt(variance(x[r, :]) + epsilon) * gain[c] + bias[c]',
  inputs: { x: activation('rows', 'cols'), gain: vector('cols'), bias: vector('cols') },
  outputs: { out: activation('rows', 'cols') },
  attributes: { epsilon: positiveFloat },
  mayAlias: ['x'],
  tolerance: { sumsOver: 'cols', functions: 2 ** -22 },
  cost: { flops: ({ rows, cols }) => 8 * rows! * cols! },
});
