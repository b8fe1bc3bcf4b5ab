/**
 * Bytes of a row of rounded activations: as native/kernels/matmul/rounded_row.h lays it out, which also holds what
 * quantized_row.h does.
 */
export function quantizedRowBytes(cols: number): number {
  const numbers = 3 * (cols / 32) + 2 * (cols / 16);
  return Math.ceil((2 * cols + 4 * numbers) / 64) * 64;
}

/** Bytes of a row as native/kernels/matmul/amx/prompt_row.h splits it for plain numbers: whole steps of 32, in floats. */
export const splitRowBytes = (cols: number): number => 128 * Math.ceil(cols / 32);
