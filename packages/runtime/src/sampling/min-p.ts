import { type Candidates, greatest, pickAbove } from './candidates.js';

/** The candidates at least `p` times as likely as the likeliest of them, in their order. At least one. */
export function minP(all: Candidates, p: number): Candidates {
  if (p === 0) return all;
  return pickAbove(all, p * greatest(all.weights));
}
