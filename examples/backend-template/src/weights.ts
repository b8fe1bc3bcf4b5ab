import {
  PocketError,
  type PrepareOptions,
  type Program,
  rowBytes,
  type Weight,
  type WeightSource,
  weightFormats,
} from '@pocketllm/abi';
import { type DecodeBlock, decoders } from './formats/index.js';
import type { Resource } from './resource.js';

/** A weight as its file holds it; rows are decoded when they are needed. */
export class StoredWeight {
  /** Elements of a row. */
  readonly length: number;
  readonly #bytes: ArrayBuffer;
  readonly #view: DataView;
  readonly #block: { readonly weights: number; readonly bytes: number };
  readonly #decode: DecodeBlock;

  constructor({ format, dimensions }: Weight, bytes: ArrayBuffer) {
    this.length = dimensions.at(-1)!;
    this.#bytes = bytes;
    this.#view = new DataView(bytes);
    this.#block = weightFormats[format].block;
    this.#decode = decoders[format]!;
  }

  /** Writes a row to out[to] and up. */
  decodeRow(row: number, out: Float32Array, to = 0): void {
    const { weights, bytes } = this.#block;
    let at = ((row * this.length) / weights) * bytes;
    for (let i = 0; i < this.length; i += weights, at += bytes) this.#decode(this.#view, at, out, to + i);
  }

  /** All elements of a weight in f32. */
  vector(): Float32Array {
    return new Float32Array(this.#bytes);
  }
}

const pieceBytes = 2 ** 22;

/** Reads the weights that the calls of a program use, piece by piece. */
export async function loadWeights(
  program: Program,
  source: WeightSource,
  owner: Resource,
  { signal, onProgress }: PrepareOptions,
): Promise<Map<string, StoredWeight>> {
  const check = () => {
    owner.check();
    if (signal?.aborted) throw new PocketError('CANCELLED', { during: 'prepare' });
  };
  check();
  const used = new Set(program.calls.flatMap(({ inputs }) => Object.values(inputs)));
  const weights = program.weights.filter(({ name }) => used.has(name));
  // All room is taken first: what does not fit fails before anything is read.
  const rooms = weights.map((weight) => ({ weight, bytes: owner.allocate('weights', bytesOf(weight)) }));
  const total = owner.held.weights;
  let done = 0;
  for (const { weight, bytes } of rooms) {
    for (let at = 0; at < bytes.byteLength; at += pieceBytes) {
      const length = Math.min(pieceBytes, bytes.byteLength - at);
      const piece = await source.read(weight.name, at, length);
      check();
      if (piece.length !== length) {
        const found = `${piece.length} bytes`;
        throw new PocketError('MODEL_MALFORMED', { field: weight.name, expected: `${length} bytes`, found });
      }
      new Uint8Array(bytes, at).set(piece);
      done += length;
      onProgress?.(done, total);
    }
  }
  return new Map(rooms.map(({ weight, bytes }) => [weight.name, new StoredWeight(weight, bytes)]));
}

function bytesOf({ format, dimensions }: Weight): number {
  const rows = dimensions.slice(0, -1).reduce((product, size) => product * size, 1);
  return rows * rowBytes(weightFormats[format], dimensions.at(-1)!)!;
}
