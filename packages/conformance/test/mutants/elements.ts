import { rowBytes, weightFormats } from '@pocketllm/abi';
import { floats, type Mutant, numbersOf, outOf, runRight, withKernel } from './mutant.js';

/** Elementwise ops and encoders. */
export const elements: readonly Mutant[] = [
  {
    fault: 'activation forms gelu_erf by tanh',
    caughtBy: 'cases › activation › rows 1, cols 63, function gelu_erf',
    plugin: withKernel('activation', (call) => {
      const name = call.attributes.function === 'gelu_erf' ? 'gelu_tanh' : call.attributes.function!;
      runRight('activation', { ...call, attributes: { function: name } });
    }),
  },
  {
    fault: 'silu divides infinity by infinity for large negative values',
    caughtBy: 'cases › activation › silu: large negative values give zero and not NaN',
    plugin: withKernel('activation', (call) => {
      runRight('activation', call);
      floats(call, 'x').forEach((x, i) => {
        if (x < -100) outOf(call)[i] = Number.NaN;
      });
    }),
  },
  {
    fault: 'gated_activation applies its function to the other half',
    caughtBy: 'cases › gated_activation › silu: a closed gate gives zero and not NaN',
    plugin: withKernel('gated_activation', (call) => {
      const { gate, up } = call.inputs;
      runRight('gated_activation', { ...call, inputs: { gate: up!, up: gate! } });
    }),
  },
  {
    fault: 'softcap does not multiply by the cap again',
    caughtBy: 'cases › softcap › values far beyond the cap meet it',
    plugin: withKernel('softcap', (call) => {
      runRight('softcap', call);
      outOf(call).forEach((value, i, out) => {
        out[i] = value / numbersOf(call).cap!;
      });
    }),
  },
  {
    fault: 'add works in the buffer of its first operand, whoever needs that later',
    caughtBy: 'cases › add › x keeps its value where it is needed later',
    plugin: withKernel('add', (call) => {
      runRight('add', call);
      floats(call, 'x').set(outOf(call));
    }),
  },
  {
    fault: 'multiply writes its result over the input of the caller',
    caughtBy: 'cases › multiply › rows 1, cols 3',
    plugin: withKernel('multiply', (call) => {
      runRight('multiply', call);
      floats(call, 'y').set(outOf(call));
    }),
  },
  {
    fault: 'scale writes one element beyond its input',
    caughtBy: 'cases › scale › rows 1, cols 63, factor 45.254833995939045',
    plugin: withKernel('scale', (call) => {
      runRight('scale', call);
      const x = floats(call, 'x');
      const beyond = x.byteOffset + x.byteLength;
      if (beyond + 4 <= x.buffer.byteLength) new Float32Array(x.buffer, beyond, 1)[0] = 1;
    }),
  },
  {
    fault: 'encode cuts to bf16 instead of rounding',
    caughtBy: 'cases › encode › bf16 › values of the size of weights',
    plugin: withKernel('encode', (call) => {
      runRight('encode', call);
      if (call.attributes.format !== 'bf16') return;
      const words = new Uint32Array(floats(call, 'x').slice().buffer);
      const out = new DataView(call.outputs.out!.buffer, call.outputs.out!.byteOffset);
      words.forEach((word, i) => {
        out.setUint16(2 * i, word >>> 16, true);
      });
    }),
  },
  {
    fault: 'encode ignores the importance of columns',
    caughtBy: 'cases › encode › iq1_s › values of the size of weights',
    plugin: withKernel('encode', (call) => {
      const { importance } = call.inputs;
      const even = importance && { importance: new Float32Array(importance.length).fill(1) };
      runRight('encode', { ...call, inputs: { ...call.inputs, ...even } });
    }),
  },
  {
    fault: 'encode loses the last block of a row',
    caughtBy: 'cases › encode › q4_0 › rows 1, cols 64, format q4_0',
    plugin: withKernel('encode', (call) => {
      runRight('encode', call);
      const format = weightFormats[call.attributes.format as keyof typeof weightFormats];
      const row = rowBytes(format, numbersOf(call).cols!)!;
      const out = new Uint8Array(
        call.outputs.out!.buffer,
        call.outputs.out!.byteOffset,
        row * numbersOf(call).rows!,
      );
      for (let end = row; end <= out.length; end += row) out.fill(0, end - format.block.bytes, end);
    }),
  },
];
