import type { Kernel } from './kernel.js';

export const multiply: Kernel<'multiply'> = ({ inputs: { x, y }, outputs: { out } }) => {
  for (let i = 0; i < out.length; i++) out[i] = x[i]! * y[i]!;
};
