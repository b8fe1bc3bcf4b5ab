import { floats, type Mutant, numbersOf, outOf, runRight, withKernel } from './mutant.js';

export const norms: readonly Mutant[] = [
  {
    fault: 'rms_norm adds epsilon to the root, not under it',
    caughtBy: 'cases › rms_norm › epsilon counts where the values are as small as its root',
    plugin: withKernel('rms_norm', (call) => {
      const [x, gain, out] = [floats(call, 'x'), floats(call, 'gain'), outOf(call)];
      for (let from = 0; from < x.length; from += gain.length) {
        const squares = x.subarray(from, from + gain.length).reduce((sum, value) => sum + value * value, 0);
        const root = Math.sqrt(squares / gain.length) + numbersOf(call).epsilon!;
        gain.forEach((factor, c) => {
          out[from + c] = (x[from + c]! / root) * factor;
        });
      }
    }),
  },
  {
    fault: 'rms_norm normalizes the whole row, whatever its groups',
    caughtBy: 'cases › rms_norm › rows 1, cols 80, epsilon 0.000001, groups 5',
    plugin: withKernel('rms_norm', (call) => {
      const { cols, groups } = numbersOf(call);
      const gain = Float32Array.from(
        { length: cols! },
        (_, c) => floats(call, 'gain')[c % (cols! / groups!)]!,
      );
      runRight('rms_norm', {
        ...call,
        inputs: { ...call.inputs, gain },
        attributes: { ...call.attributes, groups: 1 },
        sizes: { ...call.sizes, groups: 1 },
      });
    }),
  },
  {
    fault: 'rms_norm sums squares in half precision range',
    caughtBy: 'cases › rms_norm › values of 6e4 do not overflow',
    plugin: withKernel('rms_norm', (call) => {
      runRight('rms_norm', call);
      const tooLarge = floats(call, 'x').some((value) => value * value > 65504);
      if (tooLarge) outOf(call).fill(0);
    }),
  },
  {
    fault: 'layer_norm forms the variance from the mean of squares, in single precision',
    caughtBy: 'cases › layer_norm › a mean far from zero leaves the spread right',
    plugin: withKernel('layer_norm', (call) => {
      const [x, gain, bias, out] = [
        floats(call, 'x'),
        floats(call, 'gain'),
        floats(call, 'bias'),
        outOf(call),
      ];
      const n = gain.length;
      for (let from = 0; from < x.length; from += n) {
        const row = x.subarray(from, from + n);
        const mean = Math.fround(row.reduce((sum, value) => Math.fround(sum + value), 0) / n);
        const squares = Math.fround(row.reduce((sum, value) => Math.fround(sum + value * value), 0) / n);
        const variance = Math.max(0, Math.fround(squares - Math.fround(mean * mean)));
        const root = Math.sqrt(variance + numbersOf(call).epsilon!);
        row.forEach((value, c) => {
          out[from + c] = ((value - mean) / root) * gain[c]! + bias[c]!;
        });
      }
    }),
  },
  {
    fault: 'layer_norm ignores the bias',
    caughtBy: 'cases › layer_norm › zeros give what the formula gives',
    plugin: withKernel('layer_norm', (call) => {
      const bias = new Float32Array(floats(call, 'bias').length);
      runRight('layer_norm', { ...call, inputs: { ...call.inputs, bias } });
    }),
  },
];
