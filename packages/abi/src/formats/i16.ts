import { defineFormat } from './define-format.js';

/** Signed integers of 16 bits: a tensor of a file may hold them, no op reads them as weights. */
export const i16 = defineFormat({
  name: 'i16',
  ggufType: 25,
  block: { weights: 1, bytes: 2 },
  fields: { value: { offset: 0, type: 'i16' } },
  use: 'data',
  importance: 'ignored',
});
