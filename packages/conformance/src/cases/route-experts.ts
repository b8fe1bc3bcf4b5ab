import { ops } from '@pocketllm/abi';
import { type FillContext, type Filler, oneRowOfNaN } from '../data/filler.js';
import { type CallData, floatsOf, type TermsOf } from './case.js';
import { casesFor } from './cases-for.js';

/** Multiples of 1/64, so that no two are almost equal: a rounding must not decide which expert is chosen. */
const apart = ({ count, random, sizes }: FillContext): Float32Array => {
  const experts = sizes.experts!;
  const rows = Array.from({ length: count / experts }, () => random.order(experts));
  return Float32Array.from(rows.flat(), (place) => (place - experts / 2) / 64);
};
const ties: Filler = ({ count, random }) => Float32Array.from({ length: count }, () => random.below(3));

export const routeExpertsCases = (['sum', 'none'] as const).flatMap((normalize) => [
  ...casesFor(ops.route_experts, {
    sizes: { rows: [1, 3, 5], experts: [1, 8, 60, 64, 128, 257] },
    attributes: { slots: [1, 2, 4, 6, 8, 8], normalize: [normalize], scale: [1, 2.5] },
    operands: { logits: apart },
    terms: { weights: softmaxWeights },
  }),
  ...casesFor(ops.route_experts, {
    sizes: { rows: [5], experts: [60] },
    attributes: { slots: [4], normalize: [normalize] },
    operands: { logits: apart },
    terms: { weights: softmaxWeights },
    prefix: normalize,
    edges: {
      'of equal experts the smaller index comes first': { logits: ties },
      'logits of 6e4 do not overflow': { logits: (context) => apart(context).map((value) => 6e4 + value) },
      'a row of NaN does not reach other rows': { logits: nanRowApart },
    },
  }),
]);

/** Weights are quotients of exponentials; the rounding of an exponent is a relative error of its weight. */
function softmaxWeights(call: CallData, expected: Float32Array): ReturnType<TermsOf> {
  const logits = floatsOf(call, 'logits');
  const { experts, slots } = call.sizes as { experts: number; slots: number };
  return (index) => {
    const row = Math.floor(index / slots);
    const exponents = logits.subarray(row * experts, (row + 1) * experts);
    const spread = exponents.reduce((a, b) => Math.max(a, b)) - exponents.reduce((a, b) => Math.min(a, b));
    const weight = Math.abs(expected[index]!);
    return {
      sums: [
        [experts, weight * 2],
        [0, weight * spread],
      ],
      functions: weight * 2,
    };
  };
}

function nanRowApart(context: FillContext): Float32Array {
  const rowOfNaN = oneRowOfNaN(context);
  return Float32Array.from(apart(context), (value, i) => (Number.isNaN(rowOfNaN[i]!) ? Number.NaN : value));
}
