import { defineFormat } from './define-format.js';

/** IEEE half precision, one weight a block. Encoding rounds to nearest even, and overflows to infinity. */
export const f16 = defineFormat({
  name: 'f16',
  ggufType: 1,
  block: { weights: 1, bytes: 2 },
  fields: { value: { offset: 0, type: 'f16' } },
  use: 'weights',
  importance: 'ignored',
});
