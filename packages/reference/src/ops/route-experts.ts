import type { Kernel } from './kernel.js';
import { largest } from './largest.js';

/** The sum of weights counts as at least this. */
const smallestSum = 6.1e-5;

export const routeExperts: Kernel<'route_experts'> = ({
  inputs: { logits },
  outputs: { ids, weights },
  attributes: { slots, normalize, scale },
  sizes: { rows, experts },
  scratch,
}) => {
  const p = scratch.f64('p', experts);
  for (let r = 0; r < rows; r++) {
    const row = logits.subarray(r * experts, (r + 1) * experts);
    softmax(row, p);
    const chosen = ids.subarray(r * slots, (r + 1) * slots);
    largest(p, chosen);
    let sum = 0;
    for (let j = 0; j < slots; j++) sum += p[chosen[j]!]!;
    const divisor = normalize === 'sum' ? Math.max(sum, smallestSum) : 1;
    for (let j = 0; j < slots; j++) weights[r * slots + j] = (p[chosen[j]!]! / divisor) * scale;
  }
};

function softmax(logits: Float32Array, p: Float64Array): void {
  const maximum = logits.reduce((a, b) => Math.max(a, b));
  let total = 0;
  for (let e = 0; e < logits.length; e++) {
    p[e] = Math.exp(logits[e]! - maximum);
    total += p[e]!;
  }
  for (let e = 0; e < logits.length; e++) p[e]! /= total;
}
