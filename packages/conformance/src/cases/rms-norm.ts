import { ops } from '@pocketllm/abi';
import { extremesOf, scaled } from '../data/filler.js';
import type { TermsOf } from './case.js';
import { casesFor } from './cases-for.js';
import { around } from './lists.js';

/** The sum of squares has one sign: its relative error is the result's, about halved by the root. */
const terms: Record<string, TermsOf> = {
  out:
    ({ sizes }, expected) =>
    (i) => ({
      sums: [[sizes.cols! / sizes.groups!, Math.abs(expected[i]!)]],
      functions: Math.abs(expected[i]!),
    }),
};

export const rmsNormCases = [
  ...casesFor(ops.rms_norm, {
    sizes: { rows: [1, 3, 5], cols: around(16, 64, 4096) },
    attributes: { epsilon: [1e-6, 1e-5] },
    terms,
    edges: {
      ...extremesOf('x'),
      'epsilon counts where the values are as small as its root': { x: scaled(1e-3) },
      'values of 1e15 do not overflow in their squares': { x: scaled(1e15) },
    },
  }),
  ...casesFor(ops.rms_norm, {
    sizes: { rows: [1, 3, 2, 4, 5], cols: [80, 192, 1024, 48, 21] },
    attributes: { epsilon: [1e-6], groups: [5, 3, 8, 6, 7] },
    terms,
  }),
];
