import { defineFormat } from './define-format.js';

/** IEEE double precision: a tensor of a file may hold them, no op reads them as weights. */
export const f64 = defineFormat({
  name: 'f64',
  ggufType: 28,
  block: { weights: 1, bytes: 8 },
  fields: { value: { offset: 0, type: 'f64' } },
  use: 'data',
  importance: 'ignored',
});
