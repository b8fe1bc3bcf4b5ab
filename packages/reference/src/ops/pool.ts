import type { Kernel } from './kernel.js';

export const pool: Kernel<'pool'> = ({ inputs: { x, ranges }, outputs: { out }, attributes, sizes }) => {
  const { selected, cols } = sizes;
  for (let s = 0; s < selected; s++) {
    const first = attributes.function === 'last' ? ranges[2 * s + 1]! - 1 : ranges[2 * s]!;
    const end = attributes.function === 'mean' ? ranges[2 * s + 1]! : first + 1;
    for (let c = 0; c < cols; c++) {
      let sum = 0;
      for (let r = first; r < end; r++) sum += x[r * cols + c]!;
      out[s * cols + c] = sum / (end - first);
    }
  }
};
