import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { candidates } from './candidates.js';
import { typical } from './typical.js';

const from = (logits: readonly number[]) =>
  candidates(Int32Array.from(logits.keys()), Float32Array.from(logits), 1);

describe('typical', () => {
  // Entropy 1.1421. Surprises 0.6931, 1.2040, 1.8971, 2.9957: off by 0.4490, 0.0619, 0.7550, 1.8536.
  it.each([
    [0, [1]],
    [0.2, [1]],
    [0.6, [1, 0]],
    [0.9, [1, 0, 2]],
    [0.97, [1, 0, 2, 3]],
    [1, [0, 1, 2, 3]],
  ])('of 0.5, 0.3, 0.15, 0.05 at p = %d keeps %j', (p, expected) => {
    expect([...typical(from([0.5, 0.3, 0.15, 0.05].map(Math.log)), p).ids]).toEqual(expected);
  });

  it('takes equals in their order', () => {
    expect([...typical(from([2, 2, 2, 2]), 0.5).ids]).toEqual([0, 1]);
  });

  it('keeps enough mass and at least one, whatever the row', () => {
    const logits = fc.array(fc.float({ min: -900, max: 900, noNaN: true }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(logits, fc.double({ min: 0, max: 1, noNaN: true }), (list, p) => {
        const all = from(list);
        const kept = typical(all, p);
        const mass = (weights: Float64Array) => weights.reduce((sum, weight) => sum + weight, 0);
        expect(kept.ids.length).toBeGreaterThan(0);
        expect(new Set(kept.ids).size).toBe(kept.ids.length);
        expect(mass(kept.weights)).toBeGreaterThanOrEqual(p * mass(all.weights) * (1 - 1e-12));
      }),
    );
  });
});
