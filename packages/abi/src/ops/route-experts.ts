import { choice, positiveFloat, positiveInteger, withDefault } from './attribute-spec.js';
import { defineOp } from './define-op.js';
import { activation, indices } from './tensor-spec.js';

/**
 * Chooses the experts of each row and their weights.
 *
 *     p = softmax(logits[r, :])
 *     ids[r, :] = indices of the `slots` largest p, largest first, smaller index first among equals
 *     weights[r, j] = p[ids[r, j]] * scale                                        normalize = none
 *     weights[r, j] = p[ids[r, j]] / max(sum over j of p[ids[r, j]], 6.1e-5) * scale     normalize = sum
 */
export const routeExperts = defineOp({
  name: 'route_experts',
  number: 18,
  since: 1,
  summary: 'Chooses the experts of each row and their weights.',
  formula: 'weights[r, j] = softmax(logits[r, :])[ids[r, j]], optionally divided by their sum, * scale',
  inputs: { logits: activation('rows', 'experts') },
  outputs: { ids: indices('rows', 'slots'), weights: activation('rows', 'slots') },
  attributes: {
    slots: positiveInteger,
    normalize: choice('sum', 'none'),
    scale: withDefault(positiveFloat, 1),
  },
  constraints: [{ left: 'slots', relation: 'at most', right: 'experts' }],
  mayAlias: [],
  tolerance: { sumsOver: 'experts', functions: 2 ** -20 },
  cost: { flops: ({ rows, experts }) => 4 * rows! * experts! },
});
