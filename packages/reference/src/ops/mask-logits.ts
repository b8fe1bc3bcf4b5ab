import type { Kernel } from './kernel.js';

export const maskLogits: Kernel<'mask_logits'> = ({
  inputs: { x, mask },
  outputs: { out },
  sizes: { rows, cols },
}) => {
  const words = Math.ceil(cols / 32);
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < cols; c++) {
      const allowed = (mask[r * words + (c >> 5)]! >> (c & 31)) & 1;
      out[r * cols + c] = allowed ? x[r * cols + c]! : Number.NEGATIVE_INFINITY;
    }
  }
};
