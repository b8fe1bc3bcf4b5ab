import { ops } from '@pocketllm/abi';
import { extremesOf, type Filler, normal, scaled } from '../data/filler.js';
import { type CallData, floatsOf, type TermsOf } from './case.js';
import { casesFor } from './cases-for.js';
import { around } from './lists.js';

const farFromZero: Filler = (context) => Float32Array.from(normal(context), (value) => 1000 + value);

export const layerNormCases = casesFor(ops.layer_norm, {
  sizes: { rows: [1, 3, 5], cols: around(16, 64, 1024) },
  attributes: { epsilon: [1e-5, 1e-12] },
  operands: { bias: normal },
  terms: { out: normalized },
  edges: {
    ...extremesOf('x'),
    'epsilon counts where the spread is as small as its root': { x: scaled(1e-3) },
    'a mean far from zero leaves the spread right': { x: farFromZero },
  },
});

/** The error of the mean moves each centred value, and through the variance all of them. */
function normalized(call: CallData): ReturnType<TermsOf> {
  const [x, gain, bias] = [floatsOf(call, 'x'), floatsOf(call, 'gain'), floatsOf(call, 'bias')];
  const cols = call.sizes.cols!;
  const epsilon = call.attributes.epsilon as number;
  return (index) => {
    const from = index - (index % cols);
    const row = x.subarray(from, from + cols);
    const mean = row.reduce((sum, value) => sum + value, 0) / cols;
    const magnitude = row.reduce((sum, value) => sum + Math.abs(value), 0) / cols;
    const variance = row.reduce((sum, value) => sum + (value - mean) ** 2, 0) / cols;
    const factor = Math.abs(gain[index % cols]!) / Math.sqrt(variance + epsilon);
    const centred = Math.abs(x[index]! - mean);
    const spread = 1 + centred / Math.sqrt(variance + epsilon);
    const absolute = (magnitude + Math.abs(x[index]!)) * spread * factor + Math.abs(bias[index % cols]!);
    return { sums: [[cols, absolute]], functions: centred * factor };
  };
}
