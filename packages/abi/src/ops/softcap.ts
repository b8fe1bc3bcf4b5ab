import { positiveFloat } from './attribute-spec.js';
import { defineOp } from './define-op.js';
import { activation } from './tensor-spec.js';

/**
 * Bounds every element smoothly to -cap .. cap.
 *
 *     out[r, c] = cap * tanh(x[r, c] / cap)
 */
export const softcap = defineOp({
  name: 'softcap',
  number: 13,
  since: 1,
  summary: 'Bounds every element smoothly to -cap .. cap.',
  formula: 'out[r, c] = cap * tanh(x[r, c] / cap)',
  inputs: { x: activation('rows', 'cols') },
  outputs: { out: activation('rows', 'cols') },
  attributes: { cap: positiveFloat },
  mayAlias: ['x'],
  tolerance: { functions: 2 ** -20 },
  cost: { flops: ({ rows, cols }) => 3 * rows! * cols! },
});
