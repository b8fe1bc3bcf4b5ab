import { positiveInteger } from './attribute-spec.js';
import { defineOp } from './define-op.js';
import { activation, indices, optional, weight } from './tensor-spec.js';

/**
 * Multiplies each row by the matrices of its chosen experts.
 *
 *     y[r, s, o] = sum over i of weight[ids[r, s], o, i] * x[r, s mod inputGroups, i]
 *     out[r, s, o] = y[r, s, o]                                              outputGroups = slots
 *     out[r, o] = sum over s of routing[r, s] * y[r, s, o]                   outputGroups = 1
 *
 * inputGroups is 1 where all experts read the same row, or the number of slots. `routing` counts as 1
 * where absent and is read only where outputGroups is 1. Sums in f32 or wider.
 */
export const matmulExperts = defineOp({
  name: 'matmul_experts',
  number: 19,
  since: 1,
  summary: 'Multiplies each row by the matrices of its chosen experts.',
  formula: 'y[r, s, o] = sum over i of weight[ids[r, s], o, i] * x[r, s mod inputGroups, i]',
  inputs: {
    x: activation('rows', 'inputGroups*inFeatures'),
    weight: weight('experts', 'outFeatures', 'inFeatures'),
    ids: indices('rows', 'slots'),
    routing: optional(activation('rows', 'slots')),
  },
  outputs: { out: activation('rows', 'outputGroups*outFeatures') },
  attributes: { inputGroups: positiveInteger, outputGroups: positiveInteger },
  constraints: [
    { left: 'inputGroups', relation: 'divides', right: 'slots' },
    { left: 'outputGroups', relation: 'divides', right: 'slots' },
  ],
  mayAlias: [],
  tolerance: { sumsOver: 'inFeatures', rounds: 'x' },
  cost: {
    flops: ({ rows, slots, inFeatures, outFeatures }) => 2 * rows! * slots! * inFeatures! * outFeatures!,
    bytes: ({ rows, slots, experts }, bytesOf) =>
      bytesOf('x') + bytesOf('out') + (bytesOf('weight') / experts!) * Math.min(experts!, rows! * slots!),
  },
});
