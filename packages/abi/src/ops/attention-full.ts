import { positiveFloat, positiveInteger } from './attribute-spec.js';
import { defineOp } from './define-op.js';
import { activation } from './tensor-spec.js';

/**
 * Lets each row attend to all rows of its sequence in this step, in both directions and without a cache.
 *
 *     out[r, h] = sum over s of softmax over s of (scale * q[r, h] . k[s, h / (heads/kvHeads)]) * v[s, ...]
 *
 * All rows are one sequence where the step lists none, and where the rows of the call are not those of the
 * step (an image has a fixed number of patches). Sums in f32 or wider.
 */
export const attentionFull = defineOp({
  name: 'attention_full',
  number: 7,
  since: 1,
  summary: 'Attends to all rows of the same sequence in this step, without a cache (encoders).',
  formula: 'out[r, h] = sum over s of softmax(scale * q[r, h] . k[s, h])[s] * v[s, h]',
  inputs: {
    q: activation('rows', 'heads*headSize'),
    k: activation('rows', 'kvHeads*headSize'),
    v: activation('rows', 'kvHeads*valueSize'),
  },
  outputs: { out: activation('rows', 'heads*valueSize') },
  attributes: { heads: positiveInteger, kvHeads: positiveInteger, scale: positiveFloat },
  constraints: [{ left: 'kvHeads', relation: 'divides', right: 'heads' }],
  usesSequences: true,
  mayAlias: [],
  tolerance: { sumsOver: 'rows', functions: 2 ** -20 },
  cost: {
    flops: ({ rows, heads, headSize, valueSize }) => 2 * rows! * rows! * heads! * (headSize! + valueSize!),
  },
});
