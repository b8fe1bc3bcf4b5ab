import type { WeightSource } from '@pocketllm/abi';

/** Weights that lie in memory, by name, as their file would hold them. Numbers are stored as f32. */
export function memoryWeights(
  tensors: Readonly<Record<string, readonly number[] | Uint8Array>>,
): WeightSource {
  return {
    async read(name, offset = 0, length) {
      const tensor = tensors[name];
      if (!tensor) throw new Error(`no weight ${name}`);
      const bytes = tensor instanceof Uint8Array ? tensor : new Uint8Array(Float32Array.from(tensor).buffer);
      return bytes.slice(offset, length === undefined ? undefined : offset + length);
    },
  };
}
