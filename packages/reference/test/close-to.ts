import { expect } from 'vitest';

/** Lists of numbers that agree to about single precision. */
export function expectCloseTo(
  actual: readonly (readonly number[])[],
  expected: readonly (readonly number[])[],
) {
  expect(actual.map((row) => row.length)).toEqual(expected.map((row) => row.length));
  actual.forEach((row, r) => {
    row.forEach((value, c) => {
      const wanted = expected[r]![c]!;
      const off = Math.abs(value - wanted);
      const where = `row ${r}, column ${c}: ${value}, not ${wanted}`;
      if (Number.isFinite(wanted)) expect(off <= Math.max(1, Math.abs(wanted)) * 2 ** -22, where).toBe(true);
      else expect(value, where).toBe(wanted);
    });
  });
}
