import { defineFormat } from './define-format.js';

/**
 * The upper half of an IEEE single, one weight a block. Encoding rounds to nearest even; a NaN stays a quiet
 * NaN.
 */
export const bf16 = defineFormat({
  name: 'bf16',
  ggufType: 30,
  block: { weights: 1, bytes: 2 },
  fields: { value: { offset: 0, type: 'bf16' } },
  use: 'weights',
  importance: 'ignored',
});
