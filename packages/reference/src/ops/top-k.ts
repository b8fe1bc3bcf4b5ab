import type { Kernel } from './kernel.js';
import { largest } from './largest.js';

export const topK: Kernel<'top_k'> = function* ({
  inputs: { x },
  outputs: { values, ids },
  sizes: { rows, cols, k },
}) {
  for (let r = 0; r < rows; r++) {
    const row = x.subarray(r * cols, (r + 1) * cols);
    const chosen = ids.subarray(r * k, (r + 1) * k);
    largest(row, chosen);
    for (let j = 0; j < k; j++) values[r * k + j] = row[chosen[j]!]!;
    yield;
  }
};
