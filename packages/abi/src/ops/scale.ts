import { float } from './attribute-spec.js';
import { defineOp } from './define-op.js';
import { activation } from './tensor-spec.js';

/**
 * Multiplies every element by one number.
 *
 *     out[r, c] = x[r, c] * factor
 */
export const scale = defineOp({
  name: 'scale',
  number: 12,
  since: 1,
  summary: 'Multiplies every element by one number.',
  formula: 'out[r, c] = x[r, c] * factor',
  inputs: { x: activation('rows', 'cols') },
  outputs: { out: activation('rows', 'cols') },
  attributes: { factor: float },
  mayAlias: ['x'],
  tolerance: {},
  cost: { flops: ({ rows, cols }) => rows! * cols! },
});
