import { ops } from '@pocketllm/abi';
import { type Filler, filled, oneRowOfNaN } from '../data/filler.js';
import { type CallData, floatsOf, type TermsOf } from './case.js';
import { casesFor } from './cases-for.js';

/** The rows in as many ranges as are wanted, the last first; where there are more ranges, single rows. */
const ranges: Filler = ({ sizes, random }) => {
  const { rows, selected } = sizes as { rows: number; selected: number };
  const bounds = Array.from({ length: selected + 1 }, (_, i) => Math.floor((i * rows) / selected));
  const pairs = Array.from({ length: selected }, (_, i) => {
    const from = Math.min(bounds[i]!, rows - 1);
    return [from, Math.max(bounds[i + 1]!, from + 1)];
  });
  return Int32Array.from(random.order(selected).flatMap((i) => pairs[i]!));
};

export const poolCases = (['mean', 'first', 'last'] as const).flatMap((name) =>
  casesFor(ops.pool, {
    sizes: { rows: [1, 9, 40, 9], selected: [1, 2, 3, 9], cols: [1, 33, 64, 1000] },
    attributes: { function: [name] },
    operands: { ranges },
    terms: name === 'mean' ? { out: meanOfMagnitudes } : {},
    prefix: name,
    edges: {
      'values of 6e4 do not overflow': { x: filled(6e4) },
      'a row of NaN does not reach other ranges': { x: oneRowOfNaN },
    },
  }),
);

function meanOfMagnitudes(call: CallData): ReturnType<TermsOf> {
  const x = floatsOf(call, 'x');
  const bounds = call.inputs.ranges!;
  const cols = call.sizes.cols!;
  return (index) => {
    const range = Math.floor(index / cols);
    const [from, to] = [bounds[2 * range]!, bounds[2 * range + 1]!];
    let sum = 0;
    for (let r = from; r < to; r++) sum += Math.abs(x[r * cols + (index % cols)]!);
    return { sums: [[to - from, sum / (to - from)]] };
  };
}
