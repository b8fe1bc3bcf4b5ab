/**
 * Bytes of a row of rounded activations: as native/kernels/matmul/rounded_row.h lays it out, which also holds what
 * quantized_row.h does.
 */
export function quantizedRowBytes(cols: number): number {
  const numbers = 3 * (cols / 32) + 2 * (cols / 16);
  return Math.ceil((2 * cols + 4 * numbers) / 64) * 64;
}
