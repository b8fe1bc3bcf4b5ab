import { ops } from '@pocketllm/abi';
import { extremesOf, type Filler, filled, normal, scaled } from '../data/filler.js';
import { type CallData, floatsOf, type TermsOf } from './case.js';
import { casesFor } from './cases-for.js';
import { inBlocks } from './lists.js';
import { dotTerms } from './matmul-terms.js';

const phases = ['prefill', 'decode'] as const;

/** Row r holds one value other than zero, in column r, which any permitted rounding leaves as it is. */
const oneValueARow: Filler = ({ count, sizes }) => {
  const x = new Float32Array(count);
  for (let r = 0; r < sizes.rows!; r++) x[r * sizes.inFeatures! + r] = 127 / 128;
  return x;
};

/** Magnitudes of random size with the signs of the first row of weights, so that all its products add up. */
const withSignsOfWeights: Filler = (context) => {
  const weight = context.values.weight!;
  const { inFeatures } = context.sizes;
  return normal(context).map((value, i) => Math.abs(value) * (weight[i % inFeatures!]! < 0 ? -1 : 1));
};

export const matmulCases = [
  ...casesFor(ops.matmul, {
    sizes: {
      rows: [1, 2, 5, 33, 4],
      outFeatures: [1, 5, 33, 16, 67],
      inFeatures: inBlocks([1, 3, 2, 5, 4], [1, 33, 256, 1000, 130]),
    },
    // The edges take the last: without a bias, which would cover small products.
    optional: [['bias'], ['bias', 'weightScale'], []],
    operands: { bias: normal, weightScale: filled(0.37) },
    phases,
    terms: { out: scaledDot },
    edges: {
      ...extremesOf('x'),
      'values far below those of a half keep their precision': { x: scaled(1e-9) },
      'roundings lean to no side': { x: withSignsOfWeights },
    },
  }),
  ...casesFor(ops.matmul, {
    title: 'each weight is read alone',
    sizes: {
      rows: inBlocks([2], [50]),
      outFeatures: [3],
      inFeatures: inBlocks([2], [50]),
    },
    operands: { x: oneValueARow },
    phases,
    terms: { out: scaledDot },
  }),
  ...casesFor(ops.matmul, {
    title: 'many outputs',
    sizes: { rows: [3], outFeatures: [1031], inFeatures: [256] },
    formats: ['f32', 'f16', 'q8_0', 'q4_k', 'q6_k', 'iq2_xs'],
    phases,
    terms: { out: scaledDot },
  }),
  ...casesFor(ops.matmul, {
    title: 'long rows of large matrices',
    sizes: { rows: [40], outFeatures: [96], inFeatures: [1536] },
    formats: ['f32', 'f16', 'bf16', 'q8_0', 'q4_0', 'q6_k', 'q4_k', 'q2_k', 'iq2_xs', 'iq1_s', 'tq2_0'],
    phases,
    terms: { out: scaledDot },
  }),
];

function scaledDot(call: CallData): ReturnType<TermsOf> {
  const { outFeatures } = call.sizes as { outFeatures: number };
  const scale = Math.abs((call.inputs.weightScale ?? [1])[0]!);
  const bias = call.inputs.bias;
  const dot = dotTerms(call);
  return (index) => {
    const { length, absolute, rounded } = dot(Math.floor(index / outFeatures), index % outFeatures);
    const offset = bias ? Math.abs(floatsOf(call, 'bias')[index % outFeatures]!) : 0;
    return { sums: [[length, absolute * scale + offset]], rounded: rounded * scale };
  };
}
