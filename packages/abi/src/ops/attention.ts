import { floatOrOff, integerOrOff, positiveFloat, positiveInteger } from './attribute-spec.js';
import { defineOp } from './define-op.js';
import { activation, optional, vector } from './tensor-spec.js';

/**
 * Writes the rows' keys and values into one layer of the paged cache, then lets each row attend to all
 * positions of its own sequence up to itself.
 *
 *     score[p] = scale * q[r, h] . key[p, h / (heads/kvHeads)]
 *     score[p] = softcap * tanh(score[p] / softcap)                    where softcap is not 0
 *     p takes part where p <= position(r), and position(r) - p < window where window is not 0
 *     out[r, h] = sum over p of softmax(score)[p] * value[p, ...]
 *
 * A sink adds exp(sinks[h]) to the softmax's denominator. Keys and values are read back from the cache as
 * its format holds them, those of this step included. Sums in f32 or wider.
 */
export const attention = defineOp({
  name: 'attention',
  number: 6,
  since: 1,
  summary: 'Writes keys and values into the paged cache and attends causally within each sequence.',
  formula: 'out[r, h] = sum over p <= position(r) of softmax(scale * q[r, h] . key[p, h])[p] * value[p, h]',
  inputs: {
    q: activation('rows', 'heads*headSize'),
    k: activation('rows', 'kvHeads*headSize'),
    v: activation('rows', 'kvHeads*valueSize'),
    sinks: optional(vector('heads')),
  },
  outputs: { out: activation('rows', 'heads*valueSize') },
  attributes: {
    heads: positiveInteger,
    kvHeads: positiveInteger,
    scale: positiveFloat,
    window: integerOrOff,
    softcap: floatOrOff,
  },
  usesCache: true,
  constraints: [{ left: 'kvHeads', relation: 'divides', right: 'heads' }],
  usesSequences: true,
  mayAlias: [],
  tolerance: { sumsOver: 'context', functions: 2 ** -20 },
  cost: {
    flops: ({ rows, heads, headSize, valueSize, context }) =>
      2 * rows! * heads! * (headSize! + valueSize!) * context!,
  },
});
