import type { ProgramBuilder, Value, Weight, WeightFormatName, WeightSource } from '@pocketllm/abi';
import type { GgufModel, GgufTensor } from '../gguf/index.js';
import { malformed, unsupported } from '../gguf/refusal.js';

/** Where the bytes of a program's weight come from: a range of a tensor, or values computed while loading. */
type Origin =
  | { readonly tensor: string; readonly offset: number; readonly bytes: number }
  | { readonly values: Uint8Array };

/**
 * Hands the tensors of a file to a program under construction, each once and with its shape checked, and is
 * afterwards the source that a backend reads their bytes from.
 */
export class ModelTensors implements WeightSource {
  readonly #recorded = new Map<string, Weight>();
  readonly #origins = new Map<string, Origin>();

  constructor(
    private readonly p: ProgramBuilder,
    private readonly model: GgufModel,
  ) {}

  has(name: string): boolean {
    return this.model.tensors.has(name);
  }

  /** A tensor of the file with these dimensions, outermost first (the reverse of GGUF's order). */
  weight(name: string, ...dimensions: number[]): Weight {
    const tensor = this.model.tensors.get(name);
    if (!tensor) throw malformed(name, `a tensor of [${dimensions.join(', ')}]`, 'missing');
    return this.#part(name, name, dimensions, 0, dimensions[0]!);
  }

  optional(name: string, ...dimensions: number[]): Weight | undefined {
    return this.has(name) ? this.weight(name, ...dimensions) : undefined;
  }

  /**
   * Indices `from .. from + count` of the first dimension of a tensor that a file holds fused, under a name of
   * their own. `shape` is that of the whole.
   */
  slice(name: string, fused: string, shape: readonly number[], from: number, count: number): Weight {
    return this.#part(name, fused, shape, from, count);
  }

  /** A vector that is computed while loading. */
  constant(name: string, values: Float32Array): Weight {
    const known = this.#recorded.get(name);
    if (known) return known;
    this.#origins.set(name, { values: new Uint8Array(values.slice().buffer) });
    return this.#record(this.p.weight(name, 'f32', [values.length]));
  }

  /** `x` times the matrix `base.weight` [out, in], with `base.bias` and the scale of NVFP4 files where present. */
  linear(x: Value, base: string, outFeatures: number, inFeatures: number): Value {
    return this.p.matmul(x, this.weight(`${base}.weight`, outFeatures, inFeatures), {
      bias: this.optional(`${base}.bias`, outFeatures),
      weightScale: this.optional(`${base}.scale`, 1),
    });
  }

  async read(name: string, offset = 0, length?: number): Promise<Uint8Array> {
    const origin = this.#origins.get(name);
    if (!origin) throw new TypeError(`no weight ${name} was recorded`);
    if ('values' in origin)
      return origin.values.slice(offset, length === undefined ? undefined : offset + length);
    return this.model.read(origin.tensor, origin.offset + offset, length ?? origin.bytes - offset);
  }

  locate(name: string): { path: string; offset: number; bytes: number } | undefined {
    const origin = this.#origins.get(name);
    if (!origin || 'values' in origin) return undefined;
    const place = this.model.locate(origin.tensor);
    return place && { path: place.path, offset: place.offset + origin.offset, bytes: origin.bytes };
  }

  #part(name: string, tensorName: string, shape: readonly number[], from: number, count: number): Weight {
    const known = this.#recorded.get(name);
    if (known) return known;
    const { bytes, format } = this.#checked(tensorName, shape);
    const each = bytes / shape[0]!;
    this.#origins.set(name, { tensor: tensorName, offset: from * each, bytes: count * each });
    return this.#record(this.p.weight(name, format.name as WeightFormatName, [count, ...shape.slice(1)]));
  }

  #checked(tensorName: string, shape: readonly number[]): GgufTensor {
    const tensor = this.model.tensors.get(tensorName)!;
    const found = [...tensor.dimensions].reverse();
    if (found.length !== shape.length || found.some((size, axis) => size !== shape[axis])) {
      const expected = `dimensions [${[...shape].reverse().join(', ')}]`;
      throw malformed(tensorName, expected, `[${tensor.dimensions.join(', ')}]`, tensor.dimensionsAt);
    }
    if (tensor.format.use !== 'weights') {
      throw unsupported(tensorName, tensor.format.name, 'a format that holds weights');
    }
    return tensor;
  }

  #record(weight: Weight): Weight {
    this.#recorded.set(weight.name, weight);
    return weight;
  }
}
