import { defineOp } from './define-op.js';
import { activation, optional, vector, weight } from './tensor-spec.js';

/**
 * Multiplies each row by a matrix of weights, in any weight format.
 *
 *     out[r, o] = (sum over i of weight[o, i] * x[r, i]) * weightScale + bias[o]
 *
 * weightScale is 1 and bias 0 where absent. Sums in f32 or wider; how far x may be rounded first is
 * part of the tolerance.
 */
export const matmul = defineOp({
  name: 'matmul',
  number: 4,
  since: 1,
  summary: 'Multiplies each row by a matrix of weights, in any weight format.',
  formula: 'out[r, o] = (sum over i of weight[o, i] * x[r, i]) * weightScale + bias[o]',
  inputs: {
    x: activation('rows', 'inFeatures'),
    weight: weight('outFeatures', 'inFeatures'),
    bias: optional(vector('outFeatures')),
    weightScale: optional(vector('1')),
  },
  outputs: { out: activation('rows', 'outFeatures') },
  attributes: {},
  mayAlias: [],
  tolerance: { sumsOver: 'inFeatures', rounds: 'x' },
  cost: { flops: ({ rows, inFeatures, outFeatures }) => 2 * rows! * inFeatures! * outFeatures! },
});
