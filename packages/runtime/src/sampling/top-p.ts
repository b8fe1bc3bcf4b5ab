import { type Candidates, pickAbove, pickMass, totalWeight } from './candidates.js';
import { largest } from './largest.js';

/** The fewest, likeliest candidates whose probabilities sum to at least `p`, likeliest first. At least one. */
export function topP(all: Candidates, p: number): Candidates {
  if (p === 1) return all;
  const total = totalWeight(all);
  // What is below a candidate's share of the mass that may be left out can be left out whole: only the others
  // need sorting. Half the share, so that rounding cannot empty the list.
  const share = ((1 - p) * total) / all.ids.length;
  const some = pickAbove(all, share / 2);
  return pickMass(some, largest(some.logits, some.ids.length), p * total);
}
