import type { Kernel } from './kernel.js';

/** silu; the other functions are not claimed, so they never come here. */
export const activation: Kernel = ({ floats }) => {
  const [x, out] = [floats('x'), floats('out')];
  for (let i = 0; i < x.length; i++) out[i] = x[i]! / (1 + Math.exp(-x[i]!));
};
