/**
 * Numbers from a seed, the same on every platform: xoshiro128** (Blackman and Vigna), its four words of state
 * filled from the first two results of splitmix64 started at the seed, low half first.
 */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #d: number;

  /** @param seed Any integer, taken modulo 2^64. */
  constructor(seed: number | bigint) {
    // Two results in a row are never both 0, the one state that xoshiro would not leave.
    const first = splitMix64(BigInt(seed), 1n);
    const second = splitMix64(BigInt(seed), 2n);
    this.#a = Number(first & 0xffff_ffffn);
    this.#b = Number(first >> 32n);
    this.#c = Number(second & 0xffff_ffffn);
    this.#d = Number(second >> 32n);
  }

  /** A number from 0 up to, not including, 1: a multiple of 2^-53 made of two draws of {@link next32}. */
  next(): number {
    const high = this.next32() >>> 5;
    const low = this.next32() >>> 6;
    return (high * 2 ** 26 + low) / 2 ** 53;
  }

  /** An integer from 0 to 2^32 - 1. */
  next32(): number {
    const result = Math.imul(rotateLeft(Math.imul(this.#b, 5), 7), 9) >>> 0;
    const shifted = this.#b << 9;
    this.#c ^= this.#a;
    this.#d ^= this.#b;
    this.#b ^= this.#c;
    this.#a ^= this.#d;
    this.#c ^= shifted;
    this.#d = rotateLeft(this.#d, 11);
    return result;
  }
}

function rotateLeft(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}

/** Result number `index`, counted from 1, of splitmix64 started at `seed`. */
export function splitMix64(seed: bigint, index: bigint): bigint {
  const wrap = (value: bigint) => BigInt.asUintN(64, value);
  let z = wrap(seed + index * 0x9e37_79b9_7f4a_7c15n);
  z = wrap((z ^ (z >> 30n)) * 0xbf58_476d_1ce4_e5b9n);
  z = wrap((z ^ (z >> 27n)) * 0x94d0_49bb_1331_11ebn);
  return z ^ (z >> 31n);
}
