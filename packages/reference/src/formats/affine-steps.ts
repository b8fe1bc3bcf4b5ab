import { readHalf } from './bytes.js';

/** Where q4_k and q5_k, alike in this, keep what their sub-blocks are scaled by. */
interface Fields {
  readonly scale: { readonly offset: number };
  readonly min: { readonly offset: number };
  readonly subScales: { readonly offset: number };
}

/** Of each of the eight sub-blocks: w = step * code - low. */
export interface AffineSteps {
  readonly step: Float32Array;
  readonly low: Float32Array;
}

export const newAffineSteps = (): AffineSteps => ({ step: new Float32Array(8), low: new Float32Array(8) });

/** Reads the steps of a block of q4_k or q5_k. */
export function readAffineSteps(bytes: Uint8Array, block: number, fields: Fields, into: AffineSteps): void {
  const scale = readHalf(bytes, block + fields.scale.offset);
  const min = readHalf(bytes, block + fields.min.offset);
  const at = block + fields.subScales.offset;
  for (let s = 0; s < 4; s++) {
    const first = bytes[at + s]!;
    const second = bytes[at + s + 4]!;
    const third = bytes[at + s + 8]!;
    into.step[s] = scale * (first & 63);
    into.low[s] = min * (second & 63);
    into.step[s + 4] = scale * ((third & 15) | ((first >> 6) << 4));
    into.low[s + 4] = min * ((third >> 4) | ((second >> 6) << 4));
  }
}
