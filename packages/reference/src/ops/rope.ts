import type { Kernel } from './kernel.js';

export const rope: Kernel<'rope'> = ({
  inputs: { x, positions, frequencyFactors },
  outputs: { out },
  attributes: { heads, dimensions, base, pairing, scale, magnitude },
  sizes: { rows, headSize },
}) => {
  out.set(x);
  const half = dimensions / 2;
  const [step, distance] = pairing === 'neox' ? [1, half] : [2, 1];
  for (let i = 0; i < half; i++) {
    const frequency = (scale * base ** ((-2 * i) / dimensions)) / (frequencyFactors?.[i] ?? 1);
    for (let r = 0; r < rows; r++) {
      const angle = positions[r]! * frequency;
      const cos = Math.cos(angle) * magnitude;
      const sin = Math.sin(angle) * magnitude;
      for (let h = 0; h < heads; h++) {
        const first = (r * heads + h) * headSize + i * step;
        const a = x[first]!;
        const b = x[first + distance]!;
        out[first] = a * cos - b * sin;
        out[first + distance] = a * sin + b * cos;
      }
    }
  }
};
