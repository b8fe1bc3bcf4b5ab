import { ops } from '@pocketllm/abi';
import { extremesOf, type Filler, indicesBelow, integers } from '../data/filler.js';
import { type CallData, floatsOf, type TermsOf } from './case.js';
import { casesFor } from './cases-for.js';
import { inBlocks } from './lists.js';
import { dotTerms } from './matmul-terms.js';

const phases = ['prefill', 'decode'] as const;

/** Weights that sum to 1 in each row, as routing gives them. */
const routing: Filler = ({ count, random, sizes }) => {
  const weights = Float32Array.from({ length: count }, () => 0.1 + random.unit());
  const slots = sizes.slots!;
  for (let from = 0; from < count; from += slots) {
    const row = weights.subarray(from, from + slots);
    const sum = row.reduce((a, b) => a + b);
    row.forEach((weight, s) => {
      row[s] = weight / sum;
    });
  }
  return weights;
};

const shared = {
  operands: { ids: indicesBelow('experts'), routing },
  phases,
  terms: { out: routedDots },
} as const;

export const matmulExpertsCases = [
  // Up: all experts of a row read the same activation, and each keeps its result.
  ...casesFor(ops.matmul_experts, {
    ...shared,
    sizes: {
      rows: [1, 5, 70],
      experts: [4, 3, 8],
      slots: [2, 1, 4],
      outFeatures: [5, 33, 16],
      inFeatures: inBlocks([1, 2, 3], [1, 130, 64]),
    },
    attributes: { inputGroups: [1], outputGroups: [2, 1, 4] },
  }),
  // Down: each expert reads its own activation, and the results become one, by the routing where there is one.
  ...casesFor(ops.matmul_experts, {
    ...shared,
    sizes: {
      rows: [1, 5, 3],
      experts: [4, 8, 5],
      slots: [2, 4, 3],
      outFeatures: [5, 16, 33],
      inFeatures: inBlocks([1, 2, 1], [1, 64, 33]),
    },
    attributes: { inputGroups: [2, 4, 3], outputGroups: [1] },
    optional: [['routing'], [], ['routing']],
    edges: {
      ...extremesOf('x'),
      'all rows may want one expert': { ids: integers(2) },
      'a weight of zero takes an expert out': { routing: alternating },
    },
  }),
];

function alternating({ count }: Parameters<Filler>[0]): Float32Array {
  return Float32Array.from({ length: count }, (_, i) => i % 2);
}

function routedDots(call: CallData): ReturnType<TermsOf> {
  const { slots, outFeatures, inputGroups, outputGroups } = call.sizes as Record<string, number> & {
    slots: number;
    outFeatures: number;
    inputGroups: number;
    outputGroups: number;
  };
  const ids = call.inputs.ids!;
  const weights = call.inputs.routing === undefined ? undefined : floatsOf(call, 'routing');
  const dot = dotTerms(call);
  return (index) => {
    const row = Math.floor(index / (outputGroups * outFeatures));
    const group = Math.floor(index / outFeatures) % outputGroups;
    const sums: [number, number][] = [];
    let rounded = 0;
    for (let s = group; s < slots; s += outputGroups) {
      const factor = outputGroups === 1 ? Math.abs(weights?.[row * slots + s] ?? 1) : 1;
      const expertRow = ids[row * slots + s]! * outFeatures + (index % outFeatures);
      const terms = dot(row * inputGroups + (s % inputGroups), expertRow);
      sums.push([terms.length + slots, terms.absolute * factor]);
      rounded += terms.rounded * factor;
    }
    return { sums, rounded };
  };
}
