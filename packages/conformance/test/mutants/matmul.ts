import { createReferencePlugin, decodeRow, kernelOf } from '@pocketllm/reference';
import { type Call, floats, type Mutant, numbersOf, outOf, runRight, withKernel } from './mutant.js';

/** The right product of activations that were changed first. */
const ofActivations = (change: (x: Float32Array, call: Call) => Float32Array) =>
  withKernel('matmul', (call) => {
    const x = change(floats(call, 'x').slice(), call);
    runRight('matmul', { ...call, inputs: { ...call.inputs, x } });
  });

const withoutInput = (name: string) =>
  withKernel('matmul', (call) => {
    const { [name]: _, ...inputs } = call.inputs;
    runRight('matmul', { ...call, inputs });
  });

/** Rounds each block of 32 of each row to 8 bits, `round` each code. */
function toBytes(
  x: Float32Array,
  rowLength: number,
  round: (value: number) => number,
  smallestScale = 0,
): Float32Array {
  for (let row = 0; row < x.length; row += rowLength) {
    for (let from = row; from < row + rowLength; from += 32) {
      const block = x.subarray(from, Math.min(from + 32, row + rowLength));
      const scale = block.reduce((a, b) => Math.max(a, Math.abs(b)), 0) / 127;
      block.forEach((value, i) => {
        block[i] = scale <= smallestScale ? 0 : round(value / scale) * scale;
      });
    }
  }
  return x;
}

export const matmuls: readonly Mutant[] = [
  {
    fault: 'matmul leaves out the columns behind the last whole 32',
    caughtBy:
      'cases › matmul › f32 › rows 2, outFeatures 5, inFeatures 33, with bias and weightScale, prefill',
    plugin: ofActivations((x, call) => {
      const { inFeatures } = numbersOf(call);
      return x.map((value, i) => (i % inFeatures! >= inFeatures! - (inFeatures! % 32) ? 0 : value));
    }),
  },
  {
    fault: 'matmul does not write the outputs behind the last whole 4',
    caughtBy:
      'cases › matmul › q4_0 › rows 2, outFeatures 5, inFeatures 96, with bias and weightScale, decode',
    plugin: withKernel('matmul', (call) => {
      const before = outOf(call).slice();
      runRight('matmul', call);
      const { outFeatures } = numbersOf(call);
      outOf(call).forEach((_, i, out) => {
        if (i % outFeatures! >= outFeatures! - (outFeatures! % 4)) out[i] = before[i]!;
      });
    }),
  },
  {
    fault: 'matmul adds to what its result held before',
    caughtBy: 'cases › matmul › q8_0 › rows 1, outFeatures 1, inFeatures 32, with bias, prefill',
    plugin: withKernel('matmul', (call) => {
      const before = outOf(call).slice();
      runRight('matmul', call);
      outOf(call).forEach((value, i, out) => {
        out[i] = value + before[i]!;
      });
    }),
  },
  {
    fault: 'matmul ignores the bias',
    caughtBy: 'cases › matmul › f16 › rows 1, outFeatures 1, inFeatures 1, with bias, prefill',
    plugin: withoutInput('bias'),
  },
  {
    fault: 'matmul ignores the scale of the weight',
    caughtBy:
      'cases › matmul › nvfp4 › rows 2, outFeatures 5, inFeatures 192, with bias and weightScale, prefill',
    plugin: withoutInput('weightScale'),
  },
  {
    fault: 'matmul cuts activations to bf16 instead of rounding them',
    caughtBy: 'cases › matmul › bf16 › roundings lean to no side, prefill',
    plugin: ofActivations(
      (x) => new Float32Array(new Uint32Array(x.buffer).map((word) => word & 0xffff0000).buffer),
    ),
  },
  {
    fault: 'matmul cuts activations to 8 bits instead of rounding them',
    caughtBy: 'cases › matmul › q8_0 › roundings lean to no side, decode',
    plugin: ofActivations((x, call) => toBytes(x, numbersOf(call).inFeatures!, Math.trunc)),
  },
  {
    fault: 'matmul keeps the scale of rounded activations in a half, where small ones vanish',
    caughtBy: 'cases › matmul › q4_k › values far below those of a half keep their precision, decode',
    plugin: ofActivations((x, call) => toBytes(x, numbersOf(call).inFeatures!, Math.round, 2 ** -25)),
  },
  {
    fault: 'matmul rounds activations in f32 products, where nothing may be rounded',
    caughtBy:
      'cases › matmul › f32 › rows 4, outFeatures 67, inFeatures 130, with bias and weightScale, decode',
    plugin: ofActivations((x, call) => toBytes(x, numbersOf(call).inFeatures!, Math.round)),
  },
  {
    fault: 'matmul rounds all rows of a step by one scale, so NaN reaches all',
    caughtBy: 'cases › matmul › q4_k › a row of NaN does not reach other rows, prefill',
    plugin: ofActivations((x) => {
      const scale = x.reduce((a, b) => Math.max(a, Math.abs(b)), 0) / 127;
      return x.map((value) => Math.round(value / scale) * scale);
    }),
  },
  {
    fault: 'matmul sums in bf16',
    caughtBy: 'cases › matmul › bf16 › rows 33, outFeatures 16, inFeatures 1000, with bias, prefill',
    plugin: withKernel('matmul', (call) => {
      const { rows, inFeatures, outFeatures } = numbersOf(call);
      const [x, weight, bias] = [floats(call, 'x'), floats(call, 'weight'), call.inputs.bias];
      const sum = new Float32Array(1);
      const bits = new Uint32Array(sum.buffer);
      for (let i = 0; i < rows! * outFeatures!; i++) {
        const [row, output] = [Math.floor(i / outFeatures!) * inFeatures!, (i % outFeatures!) * inFeatures!];
        sum[0] = 0;
        for (let c = 0; c < inFeatures!; c++) {
          sum[0]! += x[row + c]! * weight[output + c]!;
          bits[0] = (bits[0]! + 0x8000) & 0xffff0000;
        }
        outOf(call)[i] = sum[0]! + (bias?.[i % outFeatures!] ?? 0);
      }
    }),
  },
  {
    fault: 'matmul uses other arithmetic where rows answer, and leaves the last block out there',
    caughtBy: 'cases › matmul › q6_k › each weight is read alone, decode',
    plugin: withKernel('matmul', (call) => {
      const { inFeatures } = numbersOf(call);
      const answers = call.sequences.every(({ phase }) => phase === 'decode');
      const x = floats(call, 'x').map((value, i) =>
        answers && i % inFeatures! >= inFeatures! - 256 ? 0 : value,
      );
      runRight('matmul', { ...call, inputs: { ...call.inputs, x } });
    }),
  },
  {
    fault: 'matmul_experts ignores the routing',
    caughtBy:
      'cases › matmul_experts › f32 › rows 1, experts 4, slots 2, outFeatures 5, inFeatures 1, inputGroups 2, outputGroups 1, with routing, prefill',
    plugin: withKernel('matmul_experts', ({ inputs: { routing: _, ...inputs }, ...call }) =>
      runRight('matmul_experts', { ...call, inputs }),
    ),
  },
  {
    fault: 'matmul_experts lets all experts of a row read its first activation',
    caughtBy: 'cases › matmul_experts › q8_0 › all rows may want one expert, decode',
    plugin: withKernel('matmul_experts', (call) => {
      const { inputGroups, inFeatures } = numbersOf(call);
      const width = inputGroups! * inFeatures!;
      const source = floats(call, 'x');
      const x = source.map((_, i) => source[i - (i % width) + (i % inFeatures!)]!);
      runRight('matmul_experts', { ...call, inputs: { ...call.inputs, x } });
    }),
  },
  {
    fault: 'matmul_experts gives each slot the expert of its first',
    caughtBy:
      'cases › matmul_experts › q4_k › rows 70, experts 8, slots 4, outFeatures 16, inFeatures 768, inputGroups 1, outputGroups 4, prefill',
    plugin: withKernel('matmul_experts', (call) => {
      const { slots } = numbersOf(call);
      const source = call.inputs.ids as Int32Array;
      const ids = source.map((_, i) => source[i - (i % slots!)]!);
      runRight('matmul_experts', { ...call, inputs: { ...call.inputs, ids } });
    }),
  },
];

/** Weights that come out of the decoder changed. */
const decodedWith = (wanted: string, change: (weights: Float32Array, bytes: Uint8Array) => void) =>
  createReferencePlugin({
    kernelOf,
    decodeRow(format, bytes, out) {
      decodeRow(format, bytes, out);
      if (format === wanted) change(out, bytes);
    },
  });

export const formats: readonly Mutant[] = [
  {
    fault: 'q4_k takes the scale of sub-block 5 without its two high bits',
    caughtBy: 'cases › matmul › q4_k › each weight is read alone, prefill',
    plugin: decodedWith('q4_k', (weights, bytes) => {
      for (let block = 0; block * 256 < weights.length; block++) {
        const at = block * 144 + 4;
        const low = bytes[at + 9]! & 15;
        const scale = low | ((bytes[at + 1]! >> 6) << 4);
        const from = block * 256 + 5 * 32;
        // Only the term with the scale shrinks; a weight of code 0 shows the other.
        for (let i = from; i < from + 32; i++) weights[i]! *= scale === 0 ? 1 : low / scale;
      }
    }),
  },
  {
    fault: 'q5_1 leaves the minimum out',
    caughtBy: 'cases › embedding › q5_1 › the first and the last row are there',
    plugin: decodedWith('q5_1', (weights, bytes) => {
      const view = new DataView(bytes.buffer, bytes.byteOffset);
      for (let block = 0; block * 32 < weights.length; block++) {
        const half = view.getUint16(block * 24 + 2, true);
        const sign = half & 0x8000 ? -1 : 1;
        const min = sign * (1 + (half & 1023) / 1024) * 2 ** (((half >> 10) & 31) - 15);
        for (let i = 0; i < 32; i++) weights[block * 32 + i]! -= min;
      }
    }),
  },
  {
    fault: 'iq2_xs gives the last weight of each group of 8 the sign of the one before',
    caughtBy: 'cases › matmul › iq2_xs › each weight is read alone, decode',
    plugin: decodedWith('iq2_xs', (weights) => {
      for (let i = 7; i < weights.length; i += 8) {
        weights[i] = Math.abs(weights[i]!) * Math.sign(weights[i - 1]!);
      }
    }),
  },
  {
    fault: 'tq1_0 reads the last four bytes of a block like the others',
    caughtBy: 'cases › embedding › tq1_0 › one id may come twice',
    plugin: decodedWith('tq1_0', (weights) => {
      for (let block = 0; block < weights.length; block += 256) {
        weights.subarray(block + 240, block + 256).reverse();
      }
    }),
  },
  {
    fault: 'mxfp4 has its exponent one too high',
    caughtBy: 'cases › matmul_experts › mxfp4 › a weight of zero takes an expert out, prefill',
    plugin: decodedWith('mxfp4', (weights) => {
      weights.forEach((weight, i) => {
        weights[i] = weight * 2;
      });
    }),
  },
  {
    fault: 'f16 weights are rounded to bf16',
    caughtBy: 'cases › matmul › f16 › each weight is read alone, decode',
    plugin: decodedWith('f16', (weights) => {
      const bits = new Uint32Array(weights.buffer, weights.byteOffset, weights.length);
      bits.forEach((word, i) => {
        bits[i] = (word + 0x8000) & 0xffff0000;
      });
    }),
  },
];
