import { expect, it } from 'vitest';
import { placeInArena } from './arena.js';

it('gives values that live at the same time places of their own, and reuses those that are free', () => {
  const { offsets, bytes } = placeInArena([
    { bytes: 100, from: 0, to: 1 },
    { bytes: 64, from: 1, to: 2 },
    { bytes: 10, from: 2, to: 3 },
  ]);
  expect(offsets).toEqual([0, 128, 0]);
  expect(bytes).toBe(192);
});

it('takes the lowest gap that is wide enough', () => {
  const { offsets } = placeInArena([
    { bytes: 64, from: 0, to: 1 },
    { bytes: 64, from: 0, to: 9 },
    { bytes: 64, from: 0, to: 1 },
    { bytes: 128, from: 2, to: 3 },
    { bytes: 64, from: 2, to: 3 },
  ]);
  expect(offsets).toEqual([0, 64, 128, 128, 0]);
});

it('never lets two values of one op share a byte, whatever the lifetimes', () => {
  const lifetimes = Array.from({ length: 200 }, (_, i) => ({
    bytes: ((i * 37) % 11) * 48,
    from: i,
    to: i + ((i * 13) % 7),
  }));
  const { offsets, bytes } = placeInArena(lifetimes);
  lifetimes.forEach((a, i) => {
    expect(offsets[i]! + a.bytes).toBeLessThanOrEqual(bytes);
    lifetimes.slice(0, i).forEach((b, j) => {
      const together = b.to >= a.from;
      const apart = offsets[i]! + a.bytes <= offsets[j]! || offsets[j]! + b.bytes <= offsets[i]!;
      expect(!together || apart || a.bytes === 0 || b.bytes === 0).toBe(true);
    });
  });
});
