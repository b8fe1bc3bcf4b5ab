import { defineFormat } from './define-format.js';

/** IEEE single precision, one weight a block. */
export const f32 = defineFormat({
  name: 'f32',
  ggufType: 0,
  block: { weights: 1, bytes: 4 },
  fields: { value: { offset: 0, type: 'f32' } },
  use: 'weights',
  importance: 'ignored',
});
