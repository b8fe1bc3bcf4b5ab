import type { ActivationFunction } from '@pocketllm/abi';
import { erf } from './erf.js';

const rootOfTwoOverPi = Math.sqrt(2 / Math.PI);

export const functionsByName: Readonly<Record<ActivationFunction, (x: number) => number>> = {
  silu: (x) => x / (1 + Math.exp(-x)),
  gelu_tanh: (x) => (x / 2) * (1 + Math.tanh(rootOfTwoOverPi * (x + 0.044715 * x ** 3))),
  gelu_erf: (x) => (x / 2) * (1 + erf(x / Math.SQRT2)),
  gelu_quick: (x) => x / (1 + Math.exp(-1.702 * x)),
};
