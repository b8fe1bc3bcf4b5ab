/** Bytes of a row of activations in eight bits, as native/kernels/matmul/quantized_row.h lays it out. */
export function quantizedRowBytes(cols: number): number {
  const wholeEights = (n: number) => Math.ceil(n / 8) * 8;
  const floats = cols / 4 + wholeEights(cols / 32) + wholeEights(cols / 16);
  return Math.ceil((cols + 4 * floats) / 64) * 64;
}
