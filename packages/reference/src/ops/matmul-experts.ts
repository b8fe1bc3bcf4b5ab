import { dots } from './dots.js';
import type { Kernel } from './kernel.js';

export const matmulExperts: Kernel<'matmul_experts'> = function* ({
  inputs: { x, weight, ids, routing },
  outputs: { out },
  attributes: { inputGroups, outputGroups },
  sizes: { rows, slots, inFeatures, outFeatures },
  scratch,
}) {
  const y = scratch.f64('y', outFeatures);
  const sums = scratch.f64('sums', outputGroups * outFeatures);
  for (let r = 0; r < rows; r++) {
    sums.fill(0);
    for (let s = 0; s < slots; s++) {
      const expert = ids[r * slots + s]! * outFeatures * inFeatures;
      const input = (r * inputGroups + (s % inputGroups)) * inFeatures;
      dots(x, input, 1, weight, expert, outFeatures, inFeatures, y);
      const factor = outputGroups === 1 && routing ? routing[r * slots + s]! : 1;
      const group = (s % outputGroups) * outFeatures;
      for (let o = 0; o < outFeatures; o++) sums[group + o]! += factor * y[o]!;
      yield;
    }
    out.set(sums, r * sums.length);
  }
};
