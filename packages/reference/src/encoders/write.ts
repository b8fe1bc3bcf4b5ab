import { halfOfFloat } from '../formats/half.js';

export function writeU16(out: Uint8Array, at: number, value: number): void {
  out[at] = value;
  out[at + 1] = value >> 8;
}

export function writeU32(out: Uint8Array, at: number, value: number): void {
  writeU16(out, at, value);
  writeU16(out, at + 2, value >>> 16);
}

/** Writes a half. */
export const writeHalf = (out: Uint8Array, at: number, value: number): void =>
  writeU16(out, at, halfOfFloat(value));

/** Codes of four bits: of each `2 * half` codes, code j in the low nibble of a byte, code j + half in the high. */
export function writeNibbles(out: Uint8Array, at: number, codes: Uint8Array, half: number): void {
  for (let i = 0; i < codes.length; i++) {
    const group = Math.floor(i / (2 * half));
    const shift = i % (2 * half) < half ? 0 : 4;
    out[at + group * half + (i % half)]! |= (codes[i]! & 15) << shift;
  }
}

/** 256 codes of two bits as K formats and tq2_0 have them: four codes 32 weights apart share a byte. */
export function writeTwoBits(out: Uint8Array, at: number, codes: Uint8Array): void {
  for (let i = 0; i < 256; i++) {
    out[at + 32 * (i >> 7) + (i & 31)]! |= (codes[i]! & 3) << (2 * ((i & 127) >> 5));
  }
}

/** The fifth bits of 32 codes, as a word: bit i of code i. */
export function writeFifthBits(out: Uint8Array, at: number, codes: Uint8Array): void {
  for (let i = 0; i < 32; i++) out[at + (i >> 3)]! |= (codes[i]! >> 4) << (i & 7);
}

/** Codes of four bits, two neighbours a byte, as the sub-scales of iq formats. */
export function writeSubNibbles(out: Uint8Array, at: number, codes: Uint8Array): void {
  codes.forEach((code, s) => {
    out[at + (s >> 1)]! |= (code & 15) << (4 * (s & 1));
  });
}
