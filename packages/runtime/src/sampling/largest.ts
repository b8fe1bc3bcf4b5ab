/** Most values that can be ordered; no vocabulary has as many tokens. */
export const mostValues = 2 ** 21;

/**
 * Indices of the `k` largest values, largest first; of equal values the smaller index comes first (the rule
 * of the op `top_k`). NaN and -Infinity are never among them, so there may be fewer than `k`.
 *
 * A value and its index are packed into one number, exact in 53 bits, so that the platform's numeric sort
 * does the ordering: the bits of the value, turned so that larger values come first, above 21 bits of index.
 *
 * @param values At most 2^21 of them.
 */
export function largest(values: Float32Array, k: number): Int32Array {
  if (values.length > mostValues) throw new TypeError(`At most ${mostValues} values can be ordered.`);
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
  const kept = Math.min(k, values.length);
  // Room beyond k, so that cutting back to k happens rarely; more of it takes longer to sort than it saves.
  const keys = new Float64Array(Math.min(3 * kept + 64, values.length));
  let count = 0;
  let bound = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < values.length; index++) {
    const value = values[index]!;
    if (!(value > bound)) continue; // NaN too; equal to the bound loses to a smaller index
    if (count === keys.length) {
      keys.sort();
      count = kept;
      bound = kept === 0 ? Number.POSITIVE_INFINITY : values[indexIn(keys[kept - 1]!)]!;
      if (!(value > bound)) continue;
    }
    keys[count++] = descending(value === 0 ? 0 : bits[index]!) * mostValues + index; // -0 equals 0
  }
  keys.subarray(0, count).sort();
  const indices = new Int32Array(Math.min(kept, count));
  for (let place = 0; place < indices.length; place++) indices[place] = indexIn(keys[place]!);
  return indices;
}

/** Float bits as an unsigned integer that is smaller for larger floats. */
function descending(bits: number): number {
  return bits >>> 31 === 1 ? bits : bits ^ 0x7fff_ffff;
}

function indexIn(key: number): number {
  return key - Math.floor(key / mostValues) * mostValues;
}
