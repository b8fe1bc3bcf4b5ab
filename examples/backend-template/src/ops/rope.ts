import type { Kernel } from './kernel.js';

export const rope: Kernel = ({ floats, integers, optional, number, choice }) => {
  const [x, out, positions] = [floats('x'), floats('out'), integers('positions')];
  const [heads, headSize, dimensions] = [number('heads'), number('headSize'), number('dimensions')];
  const [base, scale, magnitude] = [number('base'), number('scale'), number('magnitude')];
  const factors = optional('frequencyFactors');
  const half = dimensions / 2;
  // Where the first of pair i stands in its head, and how far behind it the second.
  const [stride, distance] = choice('pairing') === 'neox' ? [1, half] : [2, 1];
  out.set(x); // what lies behind the rotated dimensions stays as it is
  for (let i = 0; i < half; i++) {
    const frequency = (scale * base ** ((-2 * i) / dimensions)) / (factors ? factors[i]! : 1);
    for (const [row, position] of positions.entries()) {
      const cos = Math.cos(position * frequency) * magnitude;
      const sin = Math.sin(position * frequency) * magnitude;
      for (let head = 0; head < heads; head++) {
        const first = (row * heads + head) * headSize + i * stride;
        const [a, b] = [x[first]!, x[first + distance]!];
        out[first] = a * cos - b * sin;
        out[first + distance] = a * sin + b * cos;
      }
    }
  }
};
