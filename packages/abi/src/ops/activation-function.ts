/**
 * The functions that `activation` and `gated_activation` apply.
 *
 * - silu: x / (1 + e^-x)
 * - gelu_tanh: x/2 * (1 + tanh(sqrt(2/pi) * (x + 0.044715 x^3)))
 * - gelu_erf: x/2 * (1 + erf(x / sqrt(2)))
 * - gelu_quick: x / (1 + e^(-1.702 x))
 */
export const activationFunctions = ['silu', 'gelu_tanh', 'gelu_erf', 'gelu_quick'] as const;

export type ActivationFunction = (typeof activationFunctions)[number];
