import {
  PocketError,
  type PrepareOptions,
  type Program,
  rowBytes,
  type Weight,
  type WeightSource,
  weightFormats,
} from '@pocketllm/abi';
import type { NativeExecutable } from './addon.js';

/** Bytes read at once. */
const chunkBytes = 8 * 2 ** 20;

/** Bytes of a weight as its format stores it. */
export function storedBytes({ format, dimensions }: Weight): number {
  const rows = dimensions.slice(0, -1).reduce((product, size) => product * size, 1);
  return rows * rowBytes(weightFormats[format], dimensions.at(-1)!)!;
}

/**
 * Copies the weights to native memory. They are read rather than mapped: a file that is shortened meanwhile is a
 * failed read then, and not the end of the process.
 */
export async function loadWeights(
  program: Program,
  numbers: ReadonlyMap<string, number>,
  source: WeightSource,
  native: NativeExecutable,
  { signal, onProgress }: PrepareOptions,
): Promise<void> {
  const weights = program.weights.filter(({ name }) => numbers.has(name));
  const total = weights.reduce((sum, weight) => sum + storedBytes(weight), 0);
  let done = 0;
  for (const weight of weights) {
    const size = storedBytes(weight);
    for (let offset = 0; offset < size; offset += chunkBytes) {
      const length = Math.min(chunkBytes, size - offset);
      const bytes = await source.read(weight.name, offset, length);
      if (signal?.aborted) throw new PocketError('CANCELLED', { during: 'prepare' });
      if (bytes.length !== length) {
        const sizes = { expected: `${length} bytes`, found: `${bytes.length} bytes` };
        throw new PocketError('MODEL_MALFORMED', { field: weight.name, ...sizes });
      }
      native.writeWeight(numbers.get(weight.name)!, offset, bytes);
      done += length;
      onProgress?.(done, total);
    }
  }
}
