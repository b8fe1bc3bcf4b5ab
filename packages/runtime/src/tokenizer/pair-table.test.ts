import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PairTable } from './pair-table.js';

const symbol = fc.oneof(fc.integer({ min: -4, max: 4 }), fc.integer({ min: -0x110000, max: 2 ** 22 }));

test('remembers what a map would', () => {
  const known = new Map<string, number>();
  const table = new PairTable();
  fc.assert(
    fc.property(symbol, symbol, fc.integer({ min: -1, max: 2 ** 22 }), (left, right, value) => {
      expect(table.get(left, right)).toBe(known.get(`${left} ${right}`));
      known.set(`${left} ${right}`, value);
      table.set(left, right, value);
      expect(table.get(left, right)).toBe(value);
    }),
    { numRuns: 3000 },
  );
});

test('forgets all rather than grow without end', () => {
  const table = new PairTable();
  for (let left = 0; left < 2 ** 17; left++) table.set(left, 0, left);
  expect(table.get(5, 0)).toBe(5);
  table.set(-1, -1, 7);
  expect(table.get(5, 0)).toBeUndefined();
  expect(table.get(-1, -1)).toBe(7);
});
