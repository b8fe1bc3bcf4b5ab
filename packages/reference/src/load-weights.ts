import {
  PocketError,
  type PrepareOptions,
  type Program,
  rowBytes,
  type Weight,
  type WeightSource,
  weightFormats,
} from '@pocketllm/abi';
import type { Account } from './memory.js';
import type { Pacer } from './pacer.js';
import type { ReferenceParts } from './parts.js';

/** Bytes read at once, at least one row: so that little stands in memory beside the decoded weights. */
const chunkBytes = 2 ** 20;

/** Reads and decodes each weight that a call of the program uses. */
export async function loadWeights(
  program: Program,
  source: WeightSource,
  account: Account,
  pacer: Pacer,
  { signal, onProgress }: PrepareOptions,
  decodeRow: ReferenceParts['decodeRow'],
): Promise<Map<string, Float32Array>> {
  const used = new Set(program.calls.flatMap((call) => Object.values(call.inputs)));
  const weights = program.weights.filter(({ name }) => used.has(name));
  const total = weights.reduce((sum, weight) => sum + bytesOf(weight), 0);
  // All room is taken first: what does not fit fails before anything is read.
  const decoded = new Map(
    weights.map(({ name, dimensions }) => {
      const bytes = 4 * dimensions.reduce((product, size) => product * size, 1);
      return [name, new Float32Array(account.allocate('weights', bytes, `weight ${name}`))];
    }),
  );
  let done = 0;
  for (const weight of weights) {
    const out = decoded.get(weight.name)!;
    const { block } = weightFormats[weight.format];
    const rowLength = weight.dimensions.at(-1)!;
    const step =
      Math.max(1, Math.floor(((chunkBytes / block.bytes) * block.weights) / rowLength)) * rowLength;
    for (let at = 0; at < out.length; at += step) {
      const part = out.subarray(at, at + step);
      const offset = (at / block.weights) * block.bytes;
      const length = (part.length / block.weights) * block.bytes;
      const bytes = await source.read(weight.name, offset, length);
      account.check();
      if (signal?.aborted) throw new PocketError('CANCELLED', { during: 'prepare' });
      if (bytes.length !== length) {
        const found = `${bytes.length} bytes`;
        throw new PocketError('MODEL_MALFORMED', { field: weight.name, expected: `${length} bytes`, found });
      }
      decodeRow(weight.format, bytes, part);
      done += length;
      onProgress?.(done, total);
      if (pacer.due()) await pacer.pause();
    }
  }
  return decoded;
}

function bytesOf({ format, dimensions }: Weight): number {
  const rows = dimensions.slice(0, -1).reduce((product, size) => product * size, 1);
  return rows * rowBytes(weightFormats[format], dimensions.at(-1)!)!;
}
