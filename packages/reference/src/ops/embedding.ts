import type { Kernel } from './kernel.js';

export const embedding: Kernel<'embedding'> = ({ inputs: { ids, table }, outputs: { out }, sizes }) => {
  const { rows, cols } = sizes;
  for (let r = 0; r < rows; r++) {
    const row = ids[r]! * cols;
    out.set(table.subarray(row, row + cols), r * cols);
  }
};
