import { describe, expect, it } from 'vitest';
import { integerLevels, oddLevels, tableLevels } from './levels.js';

describe('integerLevels', () => {
  const levels = integerLevels(-4, 3);

  it('counts codes from the lowest value', () => expect(levels.values[levels.nearest(-4)]).toBe(-4));

  it('stops at its ends', () => {
    expect(levels.nearest(-100)).toBe(0);
    expect(levels.nearest(100)).toBe(7);
  });

  it('has both ends where they are no mirror of each other', () => {
    expect(levels.ends).toEqual([
      { value: -4, gap: 1 },
      { value: 3, gap: 1 },
    ]);
    expect(integerLevels(-1, 1).ends).toEqual([{ value: 1, gap: 1 }]);
  });
});

describe('tableLevels', () => {
  const levels = tableLevels([0, 1, 4, -4, 0]);

  it('finds the nearest value of an unordered table', () => {
    expect([-9, -2.1, -1.9, 0.4, 0.6, 2.4, 2.6].map(levels.nearest)).toEqual([3, 3, 0, 0, 1, 1, 2]);
  });

  it('never gives the second of two equal values', () => expect(levels.nearest(0)).toBe(0));
});

describe('oddLevels', () => {
  it('are what four-bit sub-scales stand for', () => {
    expect([...oddLevels(4, 0.5).values]).toEqual([0.5, 1.5, 2.5, 3.5]);
  });
});
