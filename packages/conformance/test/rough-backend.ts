import { type BackendPlugin, type OpName, type WeightFormatName, weightFormats } from '@pocketllm/abi';
import { type AnyKernel, createReferencePlugin, decodeRow, kernelOf } from '@pocketllm/reference';

type Call = Parameters<AnyKernel>[0];

const f = Math.fround;
const floats = (call: Call, name: string) => call.inputs[name] as Float32Array;
const outOf = (call: Call) => call.outputs.out as Float32Array;

/** exp and tanh with an error of two or three bits, as fast ones have. */
const exp = (x: number) => f(Math.exp(x) * (1 + 2 ** -22));
const tanh = (x: number) => f(1 - f(2 / f(exp(f(2 * x)) + 1)));

const formats = new WeakMap<ArrayBufferLike, WeightFormatName>();

/** Rounds a row as far as the format of its weight permits: to bf16, or to 8 bits with a half as scale. */
function rounded(x: Float32Array, format: WeightFormatName): Float32Array {
  if (format === 'f32') return x;
  const out = new Float32Array(x.length);
  if (weightFormats[format].block.weights === 1) {
    const bits = new Uint32Array(x.slice().buffer);
    return new Float32Array(bits.map((word) => (word + 0x7fff + ((word >>> 16) & 1)) & 0xffff0000).buffer);
  }
  for (let from = 0; from < x.length; from += 32) {
    const block = x.subarray(from, from + 32);
    const exact = block.reduce((a, b) => Math.max(a, Math.abs(b)), 0) / 127;
    const unit = 2 ** (Math.floor(Math.log2(exact || 1)) - 10);
    const scale = f(Math.round(exact / unit) * unit);
    block.forEach((value, i) => {
      out[from + i] = scale === 0 ? 0 : f(Math.round(value / scale) * scale);
    });
  }
  return out;
}

/** A dot product in single precision, one term after the other. */
function dot(x: Float32Array, xAt: number, w: Float32Array, wAt: number, n: number): number {
  let sum = 0;
  for (let i = 0; i < n; i++) sum = f(sum + f(x[xAt + i]! * w[wAt + i]!));
  return sum;
}

/** One head of one row, in one pass over the positions as flash attention goes. */
function attend(
  q: Float32Array,
  count: number,
  key: (p: number) => Float32Array,
  value: (p: number) => Float32Array,
  options: { scale: number; softcap: number; sink: number | undefined },
  out: Float32Array,
): void {
  let largest = options.sink ?? Number.NEGATIVE_INFINITY;
  let total = options.sink === undefined ? 0 : 1;
  out.fill(0);
  for (let p = 0; p < count; p++) {
    let score = f(dot(q, 0, key(p), 0, q.length) * options.scale);
    if (options.softcap) score = f(options.softcap * tanh(f(score / options.softcap)));
    const next = Math.max(largest, score);
    const keep = exp(f(largest - next));
    const weight = exp(f(score - next));
    total = f(f(total * keep) + weight);
    value(p).forEach((v, c) => {
      out[c] = f(f(out[c]! * keep) + f(weight * v));
    });
    largest = next;
  }
  for (let c = 0; c < out.length; c++) out[c] = f(out[c]! / total);
}

const kernels: Partial<Record<OpName, AnyKernel>> = {
  matmul(call) {
    const { rows, inFeatures, outFeatures } = call.sizes as Record<string, number>;
    const [weight, out] = [floats(call, 'weight'), outOf(call)];
    const scale = floats(call, 'weightScale')?.[0] ?? 1;
    const bias = floats(call, 'bias');
    for (let r = 0; r < rows!; r++) {
      const row = floats(call, 'x').subarray(r * inFeatures!, (r + 1) * inFeatures!);
      const x = rounded(row, formats.get(weight.buffer)!);
      for (let o = 0; o < outFeatures!; o++) {
        out[r * outFeatures! + o] =
          f(dot(x, 0, weight, o * inFeatures!, inFeatures!) * scale) + (bias?.[o] ?? 0);
      }
    }
  },
  matmul_experts(call) {
    const { rows, slots, inFeatures, outFeatures, inputGroups, outputGroups } = {
      ...call.sizes,
      ...call.attributes,
    } as Record<string, number>;
    const [weight, out, ids] = [floats(call, 'weight'), outOf(call), call.inputs.ids!];
    const routing = floats(call, 'routing');
    out.fill(0);
    for (let r = 0; r < rows!; r++) {
      for (let s = 0; s < slots!; s++) {
        const from = (r * inputGroups! + (s % inputGroups!)) * inFeatures!;
        const x = rounded(floats(call, 'x').subarray(from, from + inFeatures!), formats.get(weight.buffer)!);
        const factor = outputGroups === 1 && routing ? routing[r * slots! + s]! : 1;
        for (let o = 0; o < outFeatures!; o++) {
          const at = (r * outputGroups! + (s % outputGroups!)) * outFeatures! + o;
          const y = dot(x, 0, weight, (ids[r * slots! + s]! * outFeatures! + o) * inFeatures!, inFeatures!);
          out[at] = f(out[at]! + f(factor * y));
        }
      }
    }
  },
  rms_norm(call) {
    const [x, gain, out] = [floats(call, 'x'), floats(call, 'gain'), outOf(call)];
    for (let from = 0; from < x.length; from += gain.length) {
      const mean = f(dot(x, from, x, from, gain.length) / gain.length);
      const factor = f(1 / f(Math.sqrt(f(mean + (call.attributes.epsilon as number)))));
      for (let c = 0; c < gain.length; c++) out[from + c] = f(f(x[from + c]! * factor) * gain[c]!);
    }
  },
  layer_norm(call) {
    const [x, gain, bias, out] = [floats(call, 'x'), floats(call, 'gain'), floats(call, 'bias'), outOf(call)];
    const ones = new Float32Array(gain.length).fill(1);
    for (let from = 0; from < x.length; from += gain.length) {
      const mean = f(dot(x, from, ones, 0, gain.length) / gain.length);
      const centred = x.slice(from, from + gain.length).map((value) => value - mean);
      const variance = f(dot(centred, 0, centred, 0, gain.length) / gain.length);
      const factor = f(1 / f(Math.sqrt(f(variance + (call.attributes.epsilon as number)))));
      for (let c = 0; c < gain.length; c++)
        out[from + c] = f(f(f(centred[c]! * factor) * gain[c]!) + bias[c]!);
    }
  },
  activation(call) {
    const name = call.attributes.function as string;
    if (name === 'gelu_erf') return kernelOf('activation')(call);
    floats(call, 'x').forEach((x, i) => {
      outOf(call)[i] = applied(name, x);
    });
  },
  gated_activation(call) {
    floats(call, 'gate').forEach((gate, i) => {
      outOf(call)[i] = applied(call.attributes.function as string, gate) * floats(call, 'up')[i]!;
    });
  },
  softcap(call) {
    const cap = call.attributes.cap as number;
    floats(call, 'x').forEach((x, i) => {
      outOf(call)[i] = f(cap * tanh(f(x / cap)));
    });
  },
  route_experts(call) {
    kernelOf('route_experts')(call);
    const weights = call.outputs.weights as Float32Array;
    weights.forEach((weight, i) => {
      weights[i] = f(weight * (1 + 2 ** -21));
    });
  },
  attention(call) {
    const { heads, kvHeads, headSize, valueSize, window, softcap, scale } = {
      ...call.sizes,
      ...call.attributes,
    } as Record<string, number>;
    const group = heads! / kvHeads!;
    const sinks = floats(call, 'sinks');
    const { keys, values } = call.cache!;
    let row = 0;
    for (const { rows, start, pages } of call.sequences) {
      for (let i = 0; i < rows; i++) {
        keys.write(pages, start + i, floats(call, 'k'), (row + i) * kvHeads! * headSize!);
        values.write(pages, start + i, floats(call, 'v'), (row + i) * kvHeads! * valueSize!);
      }
      for (let i = 0; i < rows; i++) {
        const first = window ? Math.max(0, start + i - window + 1) : 0;
        const end = start + i + 1;
        for (let h = 0; h < heads!; h++) {
          const k = new Float32Array((end - first) * headSize!);
          const v = new Float32Array((end - first) * valueSize!);
          keys.read(pages, Math.floor(h / group), first, end, k);
          values.read(pages, Math.floor(h / group), first, end, v);
          const at = (row + i) * heads! + h;
          attend(
            floats(call, 'q').subarray(at * headSize!, (at + 1) * headSize!),
            end - first,
            (p) => k.subarray(p * headSize!, (p + 1) * headSize!),
            (p) => v.subarray(p * valueSize!, (p + 1) * valueSize!),
            { scale: scale!, softcap: softcap!, sink: sinks?.[h] },
            outOf(call).subarray(at * valueSize!, (at + 1) * valueSize!),
          );
        }
      }
      row += rows;
    }
  },
};

function applied(name: string, x: number): number {
  if (name === 'silu') return f(x / f(1 + exp(-x)));
  if (name === 'gelu_quick') return f(x / f(1 + exp(f(-1.702 * x))));
  const inner = f(Math.sqrt(2 / Math.PI) * f(x + f(0.044715 * f(f(x * x) * x))));
  return f(f(0.5 * x) * f(1 + tanh(inner)));
}

/**
 * A backend that is right in the roughest way that the ABI permits: sums in single precision one term after the
 * other, activations rounded before products, quick elementary functions. The kit has to pass it.
 */
export const roughBackend: BackendPlugin = createReferencePlugin({
  decodeRow(format, bytes, out) {
    formats.set(out.buffer, format);
    decodeRow(format, bytes, out);
  },
  kernelOf: (name) => kernels[name] ?? kernelOf(name),
});
