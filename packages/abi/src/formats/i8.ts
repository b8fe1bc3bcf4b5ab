import { defineFormat } from './define-format.js';

/** Signed integers of 8 bits: a tensor of a file may hold them, no op reads them as weights. */
export const i8 = defineFormat({
  name: 'i8',
  ggufType: 24,
  block: { weights: 1, bytes: 1 },
  fields: { value: { offset: 0, type: 'i8' } },
  use: 'data',
  importance: 'ignored',
});
