import type { Kernel } from './kernel.js';

export const softcap: Kernel<'softcap'> = ({ inputs: { x }, outputs: { out }, attributes: { cap } }) => {
  for (let i = 0; i < out.length; i++) out[i] = cap * Math.tanh(x[i]! / cap);
};
