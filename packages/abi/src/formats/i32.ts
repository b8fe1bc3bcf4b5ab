import { defineFormat } from './define-format.js';

/** Signed integers of 32 bits: a tensor of a file may hold them, no op reads them as weights. */
export const i32 = defineFormat({
  name: 'i32',
  ggufType: 26,
  block: { weights: 1, bytes: 4 },
  fields: { value: { offset: 0, type: 'i32' } },
  use: 'data',
  importance: 'ignored',
});
