/**
 * Encodes one block of a format: reads its weights from `x[from]` and up, and writes the block to byte `to`
 * of `out`, which holds zeros. Tries to make the sum of `importance[i] * (x[i] - decoded)^2` small, with the
 * importance of a weight at the index of the weight. All of `x` is finite, all of `importance` at least 0.
 */
export type EncodeBlock = (
  x: Float32Array,
  from: number,
  importance: Float32Array,
  out: Uint8Array,
  to: number,
) => void;
