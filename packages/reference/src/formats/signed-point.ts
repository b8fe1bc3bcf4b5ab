/**
 * Writes a group of weights of a code book: point `index` of `values` times `step`, negative where bit k of
 * `signs` is set.
 */
export function writeSignedPoint(
  out: Float32Array,
  to: number,
  values: Int8Array,
  valuesPerEntry: number,
  index: number,
  step: number,
  signs: number,
): void {
  for (let k = 0; k < valuesPerEntry; k++) {
    const magnitude = step * values[index * valuesPerEntry + k]!;
    out[to + k] = (signs >> k) & 1 ? -magnitude : magnitude;
  }
}

/** (scale * (0.5 + subScale)) * factor: what a magnitude of iq2 and iq3_xxs is multiplied by. */
export function stepOf(scale: number, subScale: number, factor: number): number {
  return Math.fround(Math.fround(scale * (0.5 + subScale)) * factor);
}
