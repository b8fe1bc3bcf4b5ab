import { affineRun } from './affine-fit.js';
import { type AffineSuperBlock, fitAffineSuperBlock } from './affine-super-block.js';
import { writeHalf } from './write.js';

/** Where q4_k and q5_k, alike in this, keep what their sub-blocks are scaled by. */
interface Fields {
  readonly scale: { readonly offset: number };
  readonly min: { readonly offset: number };
  readonly subScales: { readonly offset: number };
}

/**
 * Encodes a block of q4_k or q5_k, whose codes go up to `highest`: writes all but the codes, which are
 * returned.
 */
export function encodeSixBitPairs(
  x: Float32Array,
  from: number,
  importance: Float32Array,
  highest: number,
  fields: Fields,
  out: Uint8Array,
  to: number,
): Uint8Array {
  const codes = new Uint8Array(256);
  const range = { highest, positiveOffset: false };
  const runs = Array.from({ length: 8 }, (_, s) =>
    affineRun(x, from + 32 * s, 32, importance, range, codes, 32 * s),
  );
  const block = fitAffineSuperBlock(runs, 63);
  writeHalf(out, to + fields.scale.offset, block.scale);
  writeHalf(out, to + fields.min.offset, block.min);
  writePairs(out, to + fields.subScales.offset, block);
  return codes;
}

/** Eight scales and eight minima of six bits in twelve bytes. */
function writePairs(out: Uint8Array, at: number, { scaleCodes, minCodes }: AffineSuperBlock): void {
  for (let s = 0; s < 4; s++) {
    out[at + s] = scaleCodes[s]! | ((scaleCodes[s + 4]! >> 4) << 6);
    out[at + s + 4] = minCodes[s]! | ((minCodes[s + 4]! >> 4) << 6);
    out[at + s + 8] = (scaleCodes[s + 4]! & 15) | ((minCodes[s + 4]! & 15) << 4);
  }
}
