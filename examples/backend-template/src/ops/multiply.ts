import type { Kernel } from './kernel.js';

export const multiply: Kernel = ({ floats }) => {
  const [x, y, out] = [floats('x'), floats('y'), floats('out')];
  for (let i = 0; i < out.length; i++) out[i] = x[i]! * y[i]!;
};
