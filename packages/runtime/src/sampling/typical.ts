import { type Candidates, pickMass, totalWeight } from './candidates.js';
import { largest } from './largest.js';

/**
 * The candidates whose surprise (-ln of the probability) is nearest to the surprise expected of the whole
 * distribution (its entropy), as many as it takes for their probabilities to sum to at least `p`, nearest
 * first. At least one. Locally typical sampling: very likely tokens may go as well as very unlikely ones.
 *
 * Distances are compared as f32; of equal ones the earlier candidate comes first.
 */
export function typical(all: Candidates, p: number): Candidates {
  if (p === 1) return all;
  const { weights } = all;
  const total = totalWeight(all);
  const surpriseOf = (weight: number) => Math.log(total) - Math.log(weight);
  let entropy = 0;
  for (let index = 0; index < weights.length; index++) {
    const weight = weights[index]!;
    if (weight > 0) entropy += (weight / total) * surpriseOf(weight);
  }
  const nearness = new Float32Array(weights.length);
  for (let index = 0; index < weights.length; index++) {
    nearness[index] = -Math.abs(surpriseOf(weights[index]!) - entropy);
  }
  return pickMass(all, largest(nearness, nearness.length), p * total);
}
