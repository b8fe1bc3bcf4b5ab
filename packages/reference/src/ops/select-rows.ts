import type { Kernel } from './kernel.js';

export const selectRows: Kernel<'select_rows'> = ({
  inputs: { x, selection },
  outputs: { out },
  sizes: { selected, cols },
}) => {
  for (let s = 0; s < selected; s++) {
    const row = selection[s]! * cols;
    out.set(x.subarray(row, row + cols), s * cols);
  }
};
