import { ops } from '@pocketllm/abi';
import { extremesOf, type Filler, integers } from '../data/filler.js';
import { type CallData, floatsOf, type TermsOf } from './case.js';
import { casesFor } from './cases-for.js';

const positions = integers(7, 0, 4095, 31, 1, 40_000, 3);
const factors: Filler = ({ count }) => Float32Array.from({ length: count }, (_, i) => 1 + i / 4);

export const ropeCases = (['neox', 'interleaved'] as const).flatMap((pairing) =>
  casesFor(ops.rope, {
    sizes: { rows: [1, 7, 3], headSize: [64, 80, 96, 128, 256, 128, 12] },
    attributes: {
      heads: [1, 2, 3, 8, 5],
      dimensions: [64, 80, 96, 128, 256, 64, 6],
      base: [1e4, 1e6, 5e5],
      pairing: [pairing],
      scale: [1, 0.25],
      magnitude: [1, 1.19],
    },
    optional: [[], ['frequencyFactors']],
    operands: { positions, frequencyFactors: factors },
    terms: { out: rotated },
    prefix: pairing,
    edges: {
      ...extremesOf('x'),
      'position 0 changes nothing but the magnitude': { positions: integers(0) },
      'a position of a million has its angle': { positions: integers(1_000_003) },
    },
  }),
);

/** Each element is a cos - b sin of a pair, which may be formed with an error of size |a| + |b|. */
function rotated(call: CallData): ReturnType<TermsOf> {
  const x = floatsOf(call, 'x');
  const { headSize, dimensions } = call.sizes as { headSize: number; dimensions: number };
  const half = dimensions / 2;
  return (index) => {
    const c = index % headSize;
    if (c >= dimensions) return {};
    const neox = c < half ? index + half : index - half;
    const partner = call.attributes.pairing === 'neox' ? neox : index ^ 1;
    const pair = Math.abs(x[index]!) + Math.abs(x[partner]!);
    return { functions: pair * (call.attributes.magnitude as number) };
  };
}
