import { type CacheFormat, weightFormats } from '@pocketllm/abi';
import { encodeQ8_0 } from './encoders/q8-0.js';
import { writeHalf } from './encoders/write.js';
import { floatOfHalf, halfOfFloat } from './formats/index.js';
import { decodeQ8_0 } from './formats/q8-0.js';

/** Values as a cache format holds them. Counted in values; runs start and end at whole blocks. */
export interface StoredValues {
  /** Stores x[from] .. x[from + count - 1] as the values `at` and up. */
  write(x: Float32Array, from: number, count: number, at: number): void;
  /** Reads the values `at` .. `at + count - 1` to out[to] and up. */
  read(at: number, count: number, out: Float32Array, to: number): void;
}

/** How the values of a buffer are stored, by cache format. */
export const cacheCodecs: Readonly<Record<CacheFormat, (buffer: ArrayBuffer) => StoredValues>> = {
  f32(buffer) {
    const stored = new Float32Array(buffer);
    return {
      write: (x, from, count, at) => stored.set(x.subarray(from, from + count), at),
      read: (at, count, out, to) => out.set(stored.subarray(at, at + count), to),
    };
  },

  f16(buffer) {
    const stored = new Uint16Array(buffer);
    const valueOfHalf = tableOfHalves();
    return {
      write(x, from, count, at) {
        for (let i = 0; i < count; i++) stored[at + i] = halfOfFloat(x[from + i]!);
      },
      read(at, count, out, to) {
        for (let i = 0; i < count; i++) out[to + i] = valueOfHalf[stored[at + i]!]!;
      },
    };
  },

  q8_0(buffer) {
    const stored = new Uint8Array(buffer);
    const {
      block: { weights, bytes },
      fields,
    } = weightFormats.q8_0;
    const unweighted = new Float32Array(0);
    return {
      write(x, from, count, at) {
        for (let i = 0; i < count; i += weights) {
          const block = ((at + i) / weights) * bytes;
          encodeQ8_0(x, from + i, unweighted, stored, block);
          // The encoder knows finite numbers only. A block with another reads as NaN, by its scale.
          const finite = x.subarray(from + i, from + i + weights).every(Number.isFinite);
          if (!finite) writeHalf(stored, block + fields.scale.offset, Number.NaN);
        }
      },
      read(at, count, out, to) {
        for (let i = 0; i < count; i += weights) {
          decodeQ8_0(stored, ((at + i) / weights) * bytes, out, to + i);
        }
      },
    };
  },
};

let halves: Float32Array | undefined;

/** The value of each of the 65,536 halves: a look-up is several times faster than taking one apart. */
function tableOfHalves(): Float32Array {
  halves ??= Float32Array.from({ length: 65536 }, (_, half) => floatOfHalf(half));
  return halves;
}
