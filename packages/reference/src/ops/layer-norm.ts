import type { Kernel } from './kernel.js';

export const layerNorm: Kernel<'layer_norm'> = ({
  inputs: { x, gain, bias },
  outputs: { out },
  attributes: { epsilon },
  sizes: { rows, cols },
}) => {
  for (let from = 0; from < rows * cols; from += cols) {
    let sum = 0;
    for (let c = 0; c < cols; c++) sum += x[from + c]!;
    const mean = sum / cols;
    let squares = 0;
    for (let c = 0; c < cols; c++) squares += (x[from + c]! - mean) ** 2;
    const deviation = Math.sqrt(squares / cols + epsilon);
    for (let c = 0; c < cols; c++) {
      out[from + c] = ((x[from + c]! - mean) / deviation) * gain[c]! + bias[c]!;
    }
  }
};
