const bits = new Uint32Array(1);
const float = new Float32Array(bits.buffer);

/** 2^(exponent - 25) for the five exponent bits of a half, so that mantissa times this is the value. */
const halfUnits = Float64Array.from({ length: 32 }, (_, exponent) => 2 ** (Math.max(exponent, 1) - 25));

/** The value of a single-precision float from its 32 bits. */
export function floatOfBits(word: number): number {
  bits[0] = word;
  return float[0]!;
}

/** The 32 bits of a number rounded to single precision. */
export function bitsOfFloat(value: number): number {
  float[0] = value;
  return bits[0]!;
}

/** The value of an IEEE half from its 16 bits; exact. */
export function floatOfHalf(half: number): number {
  const exponent = (half >> 10) & 31;
  const fraction = half & 0x3ff;
  const sign = half & 0x8000 ? -1 : 1;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (exponent === 0 ? fraction : fraction | 0x400) * halfUnits[exponent]!;
}

/**
 * The 16 bits of the half nearest to `value`, ties to even; beyond the range, infinity. Rounds once: pass a
 * number that is already a single where the rule is single to half.
 */
export function halfOfFloat(value: number): number {
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const magnitude = Math.abs(value);
  if (Number.isNaN(value)) return 0x7e00;
  if (magnitude >= 65520) return sign | 0x7c00; // halfway between the largest half and the step above
  // In units of the last place, a rounding up to the next power of two carries into the exponent by itself.
  const exponent = magnitude < 2 ** -14 ? 1 : exponentOf(magnitude) + 15;
  return sign | ((exponent - 1) * 1024 + roundHalfToEven(magnitude / halfUnits[exponent]!));
}

/** The value of a bfloat16 from its 16 bits; exact. */
export function floatOfBf16(word: number): number {
  return floatOfBits(word << 16);
}

/** The 16 bits of the bfloat16 nearest to a single-precision `value`, ties to even; a NaN stays a quiet NaN. */
export function bf16OfFloat(value: number): number {
  const word = bitsOfFloat(value);
  if (Number.isNaN(value)) return (word >>> 16) | 64;
  return (word + 0x7fff + ((word >>> 16) & 1)) >>> 16;
}

/** The integer nearest to `value`, ties to even. For magnitudes below 2^51. */
export function roundHalfToEven(value: number): number {
  // Adding 1.5 * 2^52 leaves no bits for a fraction, so the addition itself rounds, ties to even.
  return value + 6755399441055744 - 6755399441055744;
}

/** floor(log2(value)) of a positive number within the normal range of a single. */
export function exponentOf(value: number): number {
  return (bitsOfFloat(value) >>> 23) - 127;
}
