import { describe, expect, it } from 'vitest';
import { weightFormats } from './index.js';
import { ladder, rungOf } from './ladder.js';

const bits = (name: keyof typeof weightFormats) => {
  const { weights, bytes } = weightFormats[name].block;
  return (bytes * 8) / weights;
};

describe('the ladder', () => {
  it('narrows from rung to rung, but for the ternary formats at its end', () => {
    const narrowest = ladder.slice(0, -1).map((rung) => Math.min(...rung.formats.map(bits)));
    expect(narrowest).toEqual([...narrowest].sort((a, b) => b - a));
  });

  it('lists the wider format of a rung first', () => {
    for (const { formats } of ladder)
      expect(formats.map(bits)).toEqual(formats.map(bits).sort((a, b) => b - a));
  });

  it('holds only formats of weights, each on one rung', () => {
    const names = ladder.flatMap((rung) => rung.formats);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(weightFormats[name].use).toBe('weights');
  });

  it('says on which rung a format stands', () => {
    expect(rungOf('bf16')).toBe(0);
    expect(rungOf('tq1_0')).toBe(ladder.length - 1);
    expect(rungOf('q4_0')).toBeUndefined();
  });
});
