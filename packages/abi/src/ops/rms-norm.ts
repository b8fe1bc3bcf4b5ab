import { positiveFloat, positiveInteger, withDefault } from './attribute-spec.js';
import { defineOp } from './define-op.js';
import { activation, vector } from './tensor-spec.js';

/**
 * Scales each group of a row to unit root mean square, then multiplies by a learned gain.
 *
 *     out[r, g*n + c] = x[r, g*n + c] / sqrt(mean over c of x[r, g*n + c]^2 + epsilon) * gain[c]
 *
 * with n = cols/groups: one group normalizes the row, as many groups as heads normalize each head.
 * The mean is summed in f32 or wider.
 */
export const rmsNorm = defineOp({
  name: 'rms_norm',
  number: 2,
  since: 1,
  summary: 'Scales each group of a row to unit root mean square, then multiplies by a learned gain.',
  formula: 'out[r, c] = x[r, c] / sqrt(mean(x[r, group of c]^2) + epsilon) * gain[c mod n]',
  inputs: { x: activation('rows', 'cols'), gain: vector('cols/groups') },
  outputs: { out: activation('rows', 'cols') },
  attributes: { epsilon: positiveFloat, groups: withDefault(positiveInteger, 1) },
  constraints: [{ left: 'groups', relation: 'divides', right: 'cols' }],
  mayAlias: ['x'],
  tolerance: { sumsOver: 'cols/groups', functions: 2 ** -22 },
  cost: { flops: ({ rows, cols }) => 4 * rows! * cols! },
});
