import type { Kernel } from './kernel.js';

export const selectRows: Kernel = ({ floats, integers, number }) => {
  const [x, out, cols] = [floats('x'), floats('out'), number('cols')];
  for (const [place, row] of integers('selection').entries()) {
    out.set(x.subarray(row * cols, (row + 1) * cols), place * cols);
  }
};
