import type { Kernel } from './kernel.js';

export const rmsNorm: Kernel<'rms_norm'> = ({ inputs: { x, gain }, outputs: { out }, attributes, sizes }) => {
  const { epsilon, groups } = attributes;
  const n = sizes.cols / groups;
  for (let from = 0; from < sizes.rows * sizes.cols; from += n) {
    let squares = 0;
    for (let c = 0; c < n; c++) squares += x[from + c]! * x[from + c]!;
    const root = Math.sqrt(squares / n + epsilon);
    for (let c = 0; c < n; c++) out[from + c] = (x[from + c]! / root) * gain[c]!;
  }
};
