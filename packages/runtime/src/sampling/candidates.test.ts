import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { candidates, likeliest, pickMass, reachable, totalWeight } from './candidates.js';

const row = (...logits: number[]) => Float32Array.from(logits);

describe('candidates', () => {
  it('are weighed by exp((logit - largest) / temperature)', () => {
    const { weights } = candidates(Int32Array.of(0, 1, 2), row(1, 3, 2), 2);
    expect(weights[0]).toBeCloseTo(Math.exp(-1), 15);
    expect(weights[1]).toBe(1);
    expect(weights[2]).toBeCloseTo(Math.exp(-0.5), 15);
  });

  it.each([0, 5e-324, 1e-30, 1e308])(
    'have a weight of 1 at the top and no NaN at a temperature of %d',
    (t) => {
      const { weights } = candidates(Int32Array.of(0, 1, 2), row(1, 3, -3.4e38), t);
      expect(weights[1]).toBe(1);
      expect([...weights].every((weight) => weight >= 0 && weight <= 1)).toBe(true);
    },
  );

  it('share the weight where logits are infinite', () => {
    const infinite = row(Number.POSITIVE_INFINITY, 1, Number.POSITIVE_INFINITY);
    expect([...candidates(Int32Array.of(0, 1, 2), infinite, 1).weights]).toEqual([1, 0, 1]);
    expect([...reachable(infinite, 1).ids]).toEqual([0, 2]);
    expect([...reachable(infinite, 1e308).weights]).toEqual([1, 0, 1]);
  });
});

describe('likeliest', () => {
  it('keeps k tokens, likeliest first', () => {
    expect([...likeliest(row(1, 5, Number.NaN, 3), 2, 1).ids]).toEqual([1, 3]);
  });
});

describe('reachable', () => {
  it('keeps the order of ids and leaves out NaN and -Infinity', () => {
    const { ids } = reachable(row(1, Number.NaN, 2, Number.NEGATIVE_INFINITY, 0), 1);
    expect([...ids]).toEqual([0, 2, 4]);
  });

  it('leaves out less than a 53-bit draw can tell', () => {
    fc.assert(
      fc.property(
        fc.array(fc.float({ min: -200, max: 200, noNaN: true }), { minLength: 1, maxLength: 200 }),
        fc.double({ min: 0.05, max: 5, noNaN: true }),
        (logits, temperature) => {
          const values = row(...logits);
          const found = reachable(values, temperature);
          const kept = new Set(found.ids);
          const most = Math.max(...values);
          const lost = values.reduce(
            (sum, logit, id) => (kept.has(id) ? sum : sum + Math.exp((logit - most) / temperature)),
            0,
          );
          expect(lost).toBeLessThanOrEqual(2 ** -53 * totalWeight(found));
        },
      ),
    );
  });
});

describe('pickMass', () => {
  it('keeps one even where no mass is asked for', () => {
    const all = candidates(Int32Array.of(7, 8), row(0, 0), 1);
    expect([...pickMass(all, Int32Array.of(1, 0), 0).ids]).toEqual([8]);
  });
});
