import { floats, integers, type Mutant, numbersOf, outOf, runRight, withKernel } from './mutant.js';

export const ropes: readonly Mutant[] = [
  {
    fault: 'rope takes the pairs of the other pairing',
    caughtBy: 'cases › rope › neox: a position of a million has its angle',
    plugin: withKernel('rope', (call) => {
      const pairing = call.attributes.pairing === 'neox' ? 'interleaved' : 'neox';
      runRight('rope', { ...call, attributes: { ...call.attributes, pairing } });
    }),
  },
  {
    fault: 'rope leaves out what stands behind the rotated dimensions',
    caughtBy:
      'cases › rope › rows 1, headSize 12, heads 2, dimensions 6, base 10000, pairing neox, scale 1, magnitude 1',
    plugin: withKernel('rope', (call) => {
      runRight('rope', call);
      const { headSize, dimensions } = numbersOf(call);
      outOf(call).forEach((_, i, out) => {
        if (i % headSize! >= dimensions!) out[i] = 0;
      });
    }),
  },
  {
    fault: 'rope ignores frequency factors',
    caughtBy: 'cases › rope › interleaved: a position of a million has its angle',
    plugin: withKernel('rope', ({ inputs: { frequencyFactors: _, ...inputs }, ...call }) =>
      runRight('rope', { ...call, inputs }),
    ),
  },
  {
    fault: 'rope forms angles in single precision',
    caughtBy: 'cases › rope › neox: a position of a million has its angle',
    plugin: withKernel('rope', (call) => {
      const { dimensions, base, headSize, heads, rows } = numbersOf(call);
      const factors = call.inputs.frequencyFactors as Float32Array | undefined;
      outOf(call).set(floats(call, 'x'));
      const half = dimensions! / 2;
      const [step, distance] = call.attributes.pairing === 'neox' ? [1, half] : [2, 1];
      for (let i = 0; i < rows! * heads! * half; i++) {
        const [pair, head] = [i % half, Math.floor(i / half)];
        const frequency = Math.fround(base! ** ((-2 * pair) / dimensions!) / (factors?.[pair] ?? 1));
        const position = integers(call, 'positions')[Math.floor(head / heads!)]!;
        const angle = Math.fround(position * frequency * numbersOf(call).scale!);
        const at = head * headSize! + pair * step;
        const [a, b] = [floats(call, 'x')[at]!, floats(call, 'x')[at + distance]!];
        const magnitude = numbersOf(call).magnitude!;
        outOf(call)[at] = (a * Math.cos(angle) - b * Math.sin(angle)) * magnitude;
        outOf(call)[at + distance] = (a * Math.sin(angle) + b * Math.cos(angle)) * magnitude;
      }
    }),
  },
  {
    fault: 'rope turns each head as if it stood at the next position',
    caughtBy: 'cases › rope › neox: position 0 changes nothing but the magnitude',
    plugin: withKernel('rope', (call) => {
      const positions = integers(call, 'positions').map((position) => position + 1);
      runRight('rope', { ...call, inputs: { ...call.inputs, positions } });
    }),
  },
];
