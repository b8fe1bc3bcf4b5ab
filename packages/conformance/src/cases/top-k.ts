import { ops } from '@pocketllm/abi';
import { type Filler, filled, normal, oneRowOfNaN } from '../data/filler.js';
import { casesFor } from './cases-for.js';

/** A few different values, so that almost every place has an equal. */
const ties: Filler = ({ count, random }) => Float32Array.from({ length: count }, () => random.below(4) - 2);
const withNaN: Filler = (context) => normal(context).map((value, i) => (i % 3 === 0 ? Number.NaN : value));
const mostlyForbidden: Filler = (context) =>
  normal(context).map((value, i) => (i % 97 === 5 ? value : Number.NEGATIVE_INFINITY));
const bothZeros: Filler = ({ count }) =>
  Float32Array.from({ length: count }, (_, i) => (i % 2 === 0 ? -0 : 0));

export const topKCases = [
  ...casesFor(ops.top_k, {
    sizes: { rows: [1, 3, 4], cols: [1, 7, 64, 65, 300, 1000, 5003, 151_936] },
    attributes: { k: [1, 3, 64, 40, 1, 8, 64, 40] },
  }),
  ...casesFor(ops.top_k, {
    sizes: { rows: [1, 5], cols: [201] },
    attributes: { k: [40] },
    edges: {
      'of equal elements the smaller index comes first': { x: ties },
      'elements that are all equal come in their order': { x: filled(1.5) },
      'both zeros are equal': { x: bothZeros },
      'NaN comes after -infinity': {
        x: (context) => withNaN(context).map((value, i) => (i % 3 === 1 ? Number.NEGATIVE_INFINITY : value)),
      },
      'NaN is never among the largest while numbers are left': { x: withNaN },
      'what is forbidden comes last, in its order': { x: mostlyForbidden },
      'a row of NaN does not reach other rows': { x: oneRowOfNaN },
      'infinity is the largest': {
        x: (context) => normal(context).map((value, i) => (i === 77 ? Number.POSITIVE_INFINITY : value)),
      },
    },
  }),
];
