import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Candidates, candidates } from './candidates.js';
import { topP } from './top-p.js';

function withProbabilities(...probabilities: number[]): Candidates {
  return candidates(Int32Array.from(probabilities.keys()), Float32Array.from(probabilities, Math.log), 1);
}

const ids = (kept: Candidates) => [...kept.ids];

describe('topP', () => {
  it.each([
    [0, [2]],
    [0.4, [2]],
    [0.7, [2, 0]],
    [0.85, [2, 0, 3]],
    [0.97, [2, 0, 3, 1]],
    [1, [0, 1, 2, 3]],
  ])('of 0.3, 0.05, 0.5, 0.15 at p = %d keeps %j', (p, expected) => {
    expect(ids(topP(withProbabilities(0.3, 0.05, 0.5, 0.15), p))).toEqual(expected);
  });

  it('takes the smaller id among tokens of one probability', () => {
    expect(ids(topP(withProbabilities(0.25, 0.25, 0.25, 0.25), 0.3))).toEqual([0, 1]);
  });

  it('counts probabilities of what is left, not of the vocabulary', () => {
    const left = withProbabilities(0.25, 0.2); // together all that an earlier filter kept
    expect(ids(topP(left, 0.5))).toEqual([0]);
  });

  it('keeps what a full sort keeps, and never nothing', () => {
    const logits = fc.array(fc.float({ min: -30, max: 30, noNaN: true }), { minLength: 1, maxLength: 100 });
    fc.assert(
      fc.property(logits, fc.double({ min: 0, max: 0.999999, noNaN: true }), (list, p) => {
        const all = candidates(Int32Array.from(list.keys()), Float32Array.from(list), 1);
        const order = [...list.keys()].sort((a, b) => list[b]! - list[a]! || a - b);
        const total = all.weights.reduce((sum, weight) => sum + weight, 0);
        const expected: number[] = [];
        let mass = 0;
        for (const id of order) {
          if (expected.length > 0 && mass >= p * total) break;
          expected.push(id);
          mass += all.weights[id]!;
        }
        const kept = ids(topP(all, p));
        expect(kept.length).toBeGreaterThan(0);
        expect(kept).toEqual(expected);
      }),
    );
  });
});
