import type { Kernel } from './kernel.js';

export const rmsNorm: Kernel = ({ floats, number }) => {
  const [x, gain, out] = [floats('x'), floats('gain'), floats('out')];
  const epsilon = number('epsilon');
  const n = gain.length;
  for (let start = 0; start < x.length; start += n) {
    let squares = 0;
    for (let c = 0; c < n; c++) squares += x[start + c]! ** 2;
    const factor = 1 / Math.sqrt(squares / n + epsilon);
    for (let c = 0; c < n; c++) out[start + c] = x[start + c]! * factor * gain[c]!;
  }
};
