import { defineOp } from './define-op.js';
import { activation, indices } from './tensor-spec.js';

/**
 * Forbids the tokens whose bit is not set (grammars).
 *
 *     out[r, c] = x[r, c] where bit c mod 32 of mask[r, c / 32] is set, else -infinity
 */
export const maskLogits = defineOp({
  name: 'mask_logits',
  number: 16,
  since: 1,
  summary: 'Forbids the tokens whose bit in the mask is not set.',
  formula: 'out[r, c] = bit c mod 32 of mask[r, c / 32] is set ? x[r, c] : -infinity',
  inputs: { x: activation('rows', 'cols'), mask: indices('rows', 'ceil(cols/32)') },
  outputs: { out: activation('rows', 'cols') },
  attributes: {},
  mayAlias: ['x'],
  tolerance: {},
  cost: { flops: () => 0 },
});
