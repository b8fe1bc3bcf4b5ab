import { functionsByName } from './activation-function.js';
import type { Kernel } from './kernel.js';

export const activation: Kernel<'activation'> = ({ inputs: { x }, outputs: { out }, attributes }) => {
  const apply = functionsByName[attributes.function];
  for (let i = 0; i < out.length; i++) out[i] = apply(x[i]!);
};
