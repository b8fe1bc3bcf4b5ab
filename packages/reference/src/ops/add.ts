import type { Kernel } from './kernel.js';

export const add: Kernel<'add'> = ({ inputs: { x, y }, outputs: { out } }) => {
  for (let i = 0; i < out.length; i++) out[i] = x[i]! + y[i]!;
};
