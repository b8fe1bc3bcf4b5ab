import type { Kernel } from './kernel.js';

export const scale: Kernel<'scale'> = ({ inputs: { x }, outputs: { out }, attributes: { factor } }) => {
  for (let i = 0; i < out.length; i++) out[i] = x[i]! * factor;
};
