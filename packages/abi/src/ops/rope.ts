import { choice, positiveFloat, positiveInteger, withDefault } from './attribute-spec.js';
import { defineOp } from './define-op.js';
import { activation, indices, optional, vector } from './tensor-spec.js';

/**
 * Rotates pairs of each head by an angle that grows with the position of the row.
 *
 *     angle(r, i) = positions[r] * scale * base^(-2i/dimensions) / frequencyFactors[i]
 *     (a, b) -> (a cos - b sin, a sin + b cos) * magnitude        i = 0 .. dimensions/2 - 1
 *
 * Pairing `neox` takes (i, i + dimensions/2), `interleaved` takes (2i, 2i + 1). Values of a head from
 * `dimensions` on pass through unchanged. Angles are formed in f64, or from a table that was.
 */
export const rope = defineOp({
  name: 'rope',
  number: 5,
  since: 1,
  summary: 'Rotates pairs of each head by an angle that grows with the position of the row.',
  formula: 'angle = positions[r] * scale * base^(-2i/dimensions) / frequencyFactors[i]',
  inputs: {
    x: activation('rows', 'heads*headSize'),
    positions: indices('rows'),
    frequencyFactors: optional(vector('dimensions/2')),
  },
  outputs: { out: activation('rows', 'heads*headSize') },
  attributes: {
    heads: positiveInteger,
    dimensions: positiveInteger,
    base: positiveFloat,
    pairing: choice('neox', 'interleaved'),
    scale: withDefault(positiveFloat, 1),
    magnitude: withDefault(positiveFloat, 1),
  },
  constraints: [
    { left: '2', relation: 'divides', right: 'dimensions' },
    { left: 'dimensions', relation: 'at most', right: 'headSize' },
  ],
  mayAlias: ['x'],
  tolerance: { functions: 2 ** -20 },
  cost: { flops: ({ rows, heads, dimensions }) => 3 * rows! * heads! * dimensions! },
});
