import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OccurrenceFinder } from './occurrence-finder.js';

const word = (maxLength: number) =>
  fc.string({ unit: fc.constantFrom('a', 'b', '<'), minLength: 1, maxLength });

test('finds just those patterns that the text includes', () => {
  fc.assert(
    fc.property(fc.uniqueArray(word(5), { maxLength: 12 }), word(30), (words, text) => {
      const patterns = words.sort((a, b) => b.length - a.length);
      const included = [...patterns.keys()].filter((which) => text.includes(patterns[which]!));
      expect(new OccurrenceFinder(patterns).find(text)).toEqual(included);
    }),
    { numRuns: 3000 },
  );
});

test('one pass suffices, however long and alike the patterns are', () => {
  const patterns = Array.from({ length: 200 }, (_, i) => `${'a'.repeat(2000 - i)}b`);
  const finder = new OccurrenceFinder(patterns);
  const start = process.cpuUsage();
  expect(finder.find('a'.repeat(1_000_000))).toEqual([]);
  expect(process.cpuUsage(start).user / 1000).toBeLessThan(2000);
});
