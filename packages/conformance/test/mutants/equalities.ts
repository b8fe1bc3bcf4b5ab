import type { OpenOptions } from '@pocketllm/abi';
import reference, { createReferencePlugin, kernelOf } from '@pocketllm/reference';
import { type Call, type Mutant, outOf, runRight, withKernel } from './mutant.js';

/** Moves results by one unit in the last place: far within any tolerance, and not equal. */
function nudge(out: Float32Array): void {
  const bits = new Uint32Array(out.buffer, out.byteOffset, out.length);
  for (let i = 0; i < bits.length; i++) if (out[i] !== 0) bits[i]! ^= 1;
}

/** Attention whose results depend on something that they must not depend on. */
const nudgedWhere = (condition: (call: Call) => boolean) =>
  withKernel('attention', (call) => {
    runRight('attention', call);
    if (condition(call)) nudge(outOf(call));
  });

let calls = 0;

export const equalities: readonly Mutant[] = [
  {
    fault: 'results depend on who shares the step',
    caughtBy: 'model › f32: a batch answers as each of its members alone',
    plugin: nudgedWhere(({ sequences }) => sequences.length > 1),
  },
  {
    fault: 'results of answers depend on how many answer in the step',
    caughtBy: 'model › f32: answers that go on together are those of each alone',
    plugin: nudgedWhere(
      ({ sequences }) => sequences.length > 8 && sequences.every(({ phase }) => phase === 'decode'),
    ),
  },
  {
    fault: 'matmul sums in another order where four rows answer together',
    caughtBy: 'cases › matmul › q4_k › rows 5, outFeatures 33, inFeatures 512, decode',
    plugin: withKernel('matmul', (call) => {
      runRight('matmul', call);
      if (call.sequences.length > 3) nudge(outOf(call));
    }),
  },
  {
    fault: 'attention of an answer depends on the longest answer of the step',
    caughtBy: 'cases › attention › f16 › many short sequences in one step',
    plugin: nudgedWhere(({ sequences }) => {
      const lengths = sequences.map(({ start, rows }) => start + rows);
      return Math.max(...lengths) > 2 * Math.min(...lengths);
    }),
  },
  {
    fault: 'results depend on how a prompt is cut',
    caughtBy: 'model › f32: a prompt in chunks answers as in one piece',
    plugin: nudgedWhere(({ sequences }) =>
      sequences.some(({ phase, start }) => phase === 'prefill' && start > 0),
    ),
  },
  {
    fault: 'results depend on whether a prefix was there',
    caughtBy: 'model › f32: a prefix that is there answers as one computed again',
    plugin: nudgedWhere(({ sequences }) => sequences.some(({ start }) => start === 64)),
  },
  {
    fault: 'results depend on which pages a sequence has',
    caughtBy: 'model › f32: pages may stand in any order',
    plugin: nudgedWhere(({ sequences }) => sequences.some(({ pages }) => pages[0]! > 10)),
  },
  {
    fault: 'results depend on the number of threads',
    caughtBy: 'model › f32: one thread answers as several',
    plugin: {
      ...reference,
      open(id: string, options?: OpenOptions) {
        return (options?.threads === 1 ? nudgedWhere(() => true) : reference).open(id, options);
      },
    },
  },
  {
    fault: 'results differ from run to run',
    caughtBy: 'cases › matmul › f32 › rows 1, outFeatures 1, inFeatures 1, with bias, prefill',
    plugin: withKernel('matmul', (call) => {
      runRight('matmul', call);
      if (calls++ % 2 === 0) nudge(outOf(call));
    }),
  },
  {
    fault: 'scratch of one call is taken for that of the next',
    caughtBy: 'cases › rms_norm › rows 3, cols 16, epsilon 0.00001',
    plugin: createReferencePlugin({ kernelOf: (name) => (name === 'rms_norm' ? staleNorm : kernelOf(name)) }),
  },
  {
    fault: 'the model has another token by a head that is one step off',
    caughtBy: 'model › f32: the model gives the tokens that are recorded',
    plugin: withKernel('top_k', (call) => {
      runRight('top_k', call);
      const ids = call.outputs.ids as Int32Array;
      ids.forEach((id, i) => {
        ids[i] = id + 1;
      });
    }),
  },
];

/** The squares of the row before, where a right kernel starts from zero. */
let leftOver = 0;

function staleNorm(call: Call): void {
  const x = call.inputs.x as Float32Array;
  const gain = call.inputs.gain as Float32Array;
  for (let from = 0; from < x.length; from += gain.length) {
    const squares = x
      .subarray(from, from + gain.length)
      .reduce((sum, value) => sum + value * value, leftOver);
    leftOver = squares;
    const root = Math.sqrt(squares / gain.length + (call.attributes.epsilon as number));
    gain.forEach((factor, c) => {
      outOf(call)[from + c] = (x[from + c]! / root) * factor;
    });
  }
}
