import { floatOfHalf } from './half.js';

// Little-endian reads at any alignment: block sizes leave most fields at odd places.

export const readI8 = (bytes: Uint8Array, at: number): number => (bytes[at]! << 24) >> 24;

export const readU16 = (bytes: Uint8Array, at: number): number => bytes[at]! | (bytes[at + 1]! << 8);

/** Unsigned. */
export const readU32 = (bytes: Uint8Array, at: number): number =>
  (readU16(bytes, at) | (readU16(bytes, at + 2) << 16)) >>> 0;

/** The value of an IEEE half. */
export const readHalf = (bytes: Uint8Array, at: number): number => floatOfHalf(readU16(bytes, at));
