const word = new Uint32Array(1);
const single = new Float32Array(word.buffer);

/** The value of each of the 65,536 halves. */
export const halves = Float32Array.from({ length: 65_536 }, (_, bits) => {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1024 + fraction) * 2 ** (exponent - 25);
});

/** The bits of the half that is nearest to a single, ties to even. */
export function toHalf(value: number): number {
  const magnitude = Math.abs(value);
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  if (Number.isNaN(value)) return 0x7e00;
  if (magnitude >= 65_520) return sign | 0x7c00;
  // The smallest halves are multiples of 2^-24; adding 2^52 leaves no bits for a fraction, so it rounds.
  if (magnitude < 2 ** -14) return sign | (magnitude * 2 ** 24 + 2 ** 52 - 2 ** 52);
  single[0] = magnitude;
  // The exponent counts from -15 instead of -127; 13 bits of the fraction go, and half of the last that stays is added.
  const bits = word[0]! - (112 << 23);
  return sign | ((bits + 0xfff + ((bits >> 13) & 1)) >> 13);
}
