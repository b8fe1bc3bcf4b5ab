import { type Field, type WeightFormatName, weightFormats } from '@pocketllm/abi';
import type { Random } from './random.js';

/**
 * Whole blocks of a format in which every code, sub-scale and sign is random, and the scales of blocks are
 * of a size that keeps weights within about -2 .. 2. So every bit of the format matters to the result.
 */
export function randomBlocks(format: WeightFormatName, weights: number, random: Random): Uint8Array {
  const { block } = weightFormats[format];
  const bytes = new Uint8Array((weights / block.weights) * block.bytes);
  for (let i = 0; i < bytes.length; i++) bytes[i] = random.below(256);
  for (let at = 0; at < bytes.length; at += block.bytes) {
    writeFloats(bytes, at, format, random);
    canonical[format]?.(bytes, at, random);
  }
  return bytes;
}

/** The largest weight of a block with a scale of 1, about: scales are divided by it. */
const reach: Readonly<Partial<Record<WeightFormatName, number>>> = {
  ...{ q8_0: 127, q8_1: 127, q8_k: 127, q6_k: 4096, q5_0: 16, q5_1: 31, q5_k: 1953 },
  ...{ q4_0: 8, q4_1: 15, q4_k: 945, iq4_nl: 127, iq4_xs: 4064, q3_k: 128, iq3_s: 465 },
  ...{ iq3_xxs: 480, q2_0: 2, q2_k: 45, iq2_s: 166, iq2_xs: 166, iq2_xxs: 166, iq1_s: 17 },
};

/** Minima by scale, so that weights lie around zero as those of models do. */
const centre: Readonly<Partial<Record<WeightFormatName, number>>> = {
  ...{ q2_k: 1.5, q4_k: 7.5, q5_k: 15.5, q4_1: -7.5, q5_1: -15.5 },
};

/** Replaces random bits where they are floating-point numbers: a scale, a minimum or a weight itself. */
function writeFloats(bytes: Uint8Array, at: number, format: WeightFormatName, random: Random): void {
  let scale = 1;
  for (const [name, { offset, type }] of Object.entries<Field>(weightFormats[format].fields)) {
    const value =
      name === 'min'
        ? scale * (centre[format] ?? 1) * (0.75 + random.unit() / 2)
        : random.normal() / (reach[format] ?? 1);
    if (name === 'scale') scale = value;
    if (type === 'f32') write(bytes, at + offset, bitsOf(value), 4);
    if (type === 'bf16') write(bytes, at + offset, bitsOf(value) >>> 16, 2);
    if (type === 'f16') write(bytes, at + offset, halfBits(value), 2);
  }
}

/** What else a block needs to be one that an encoder could write. */
const canonical: Readonly<
  Partial<Record<WeightFormatName, (bytes: Uint8Array, at: number, random: Random) => void>>
> = {
  mxfp4(bytes, at, random) {
    bytes[at] = 122 + random.below(5);
  },
  nvfp4(bytes, at, random) {
    for (let sub = 0; sub < 4; sub++) bytes[at + sub] = 32 + random.below(20);
  },
  iq1_m(bytes, at, random) {
    // The bits of the block's scale are the top nibbles of four words.
    const half = halfBits(random.normal() / 17);
    for (let word = 0; word < 4; word++) {
      const high = at + 48 + 2 * word + 1;
      bytes[high] = (bytes[high]! & 15) | (((half >> (4 * word)) & 15) << 4);
    }
  },
  tq1_0(bytes, at, random) {
    // Five digits of base 3 as a fraction of 256, rounded up: so that each digit comes out again.
    for (let i = 0; i < 52; i++) {
      const digits = i < 48 ? random.below(243) : random.below(81) * 3;
      bytes[at + i] = Math.ceil((digits * 256) / 243);
    }
  },
  tq2_0(bytes, at, random) {
    for (let i = 0; i < 64; i++) {
      bytes[at + i] = [0, 2, 4, 6].reduce((byte, shift) => byte | (random.below(3) << shift), 0);
    }
  },
};

const floats = new Float32Array(1);
const words = new Uint32Array(floats.buffer);

function bitsOf(value: number): number {
  floats[0] = value;
  return words[0]!;
}

/** A half of about this value, in the normal range: what is not exact is cut off. */
function halfBits(value: number): number {
  const word = bitsOf(value);
  const exponent = Math.min(Math.max(((word >>> 23) & 255) - 112, 1), 30);
  return ((word >>> 16) & 0x8000) | (exponent << 10) | ((word >>> 13) & 0x3ff);
}

function write(bytes: Uint8Array, at: number, value: number, width: number): void {
  for (let i = 0; i < width; i++) bytes[at + i] = (value >>> (8 * i)) & 255;
}
