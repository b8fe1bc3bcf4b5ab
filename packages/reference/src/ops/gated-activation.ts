import { functionsByName } from './activation-function.js';
import type { Kernel } from './kernel.js';

export const gatedActivation: Kernel<'gated_activation'> = ({
  inputs: { gate, up },
  outputs: { out },
  attributes,
}) => {
  const apply = functionsByName[attributes.function];
  for (let i = 0; i < out.length; i++) out[i] = apply(gate[i]!) * up[i]!;
};
