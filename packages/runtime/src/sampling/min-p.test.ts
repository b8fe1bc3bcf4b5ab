import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { candidates } from './candidates.js';
import { minP } from './min-p.js';

const from = (logits: readonly number[]) =>
  candidates(Int32Array.from(logits.keys()), Float32Array.from(logits), 1);

describe('minP', () => {
  // Against the likeliest, 0.5: at least 0, 0.1, 0.25 and 0.5.
  it.each([
    [0, [0, 1, 2, 3]],
    [0.2, [0, 2, 3]],
    [0.5, [0, 2]],
    [1, [2]],
  ])('of 0.3, 0.05, 0.5, 0.15 at p = %d keeps %j', (p, expected) => {
    const logits = [0.3, 0.05, 0.5, 0.15].map(Math.log);
    expect([...minP(from(logits), p).ids]).toEqual(expected);
  });

  it('keeps all of the likeliest where several share that place', () => {
    expect([...minP(from([1, 3, 3, 2]), 1).ids]).toEqual([1, 2]);
  });

  it('keeps the likeliest and whatever is likely enough, whatever the row', () => {
    const logits = fc.array(fc.float({ min: -800, max: 800, noNaN: true }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(logits, fc.double({ min: 0, max: 1, noNaN: true }), (list, p) => {
        const all = from(list);
        const most = Math.max(...all.weights);
        const expected = [...all.ids].filter((id) => all.weights[id]! >= p * most);
        expect([...minP(all, p).ids]).toEqual(expected);
        expect(expected.length).toBeGreaterThan(0);
      }),
    );
  });
});
