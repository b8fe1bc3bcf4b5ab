import { defineFormat } from './define-format.js';

/** Signed integers of 64 bits: a tensor of a file may hold them, no op reads them as weights. */
export const i64 = defineFormat({
  name: 'i64',
  ggufType: 27,
  block: { weights: 1, bytes: 8 },
  fields: { value: { offset: 0, type: 'i64' } },
  use: 'data',
  importance: 'ignored',
});
