import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Merger, type MergeTable } from './merge.js';
import { PairMerges } from './pair-merges.js';

interface Merge {
  readonly left: number;
  readonly right: number;
  readonly result: number;
}

const symbols = 12;

function pairMerges(merges: readonly Merge[]): PairMerges {
  const column = (of: keyof Merge) => Int32Array.from(merges, (merge) => merge[of]);
  return new PairMerges(symbols, column('left'), column('right'), column('result'));
}

function merged(table: MergeTable, run: readonly number[]): number[] {
  const array = Int32Array.from(run);
  return [...array.subarray(0, new Merger(table).merge(array, run.length))];
}

/** The definition: as long as a pair merges, the first pair of those with the lowest priority does. */
function mergedByDefinition(table: MergeTable, run: readonly number[]): number[] {
  let left = [...run];
  for (;;) {
    let best = -1;
    let lowest = Number.POSITIVE_INFINITY;
    for (let i = 0; i + 1 < left.length; i++) {
      const merge = table.find(left[i]!, left[i + 1]!);
      if (merge >= 0 && table.priority(merge) < lowest) {
        best = i;
        lowest = table.priority(merge);
      }
    }
    if (best < 0) return left;
    const merge = table.find(left[best]!, left[best + 1]!);
    left = [...left.slice(0, best), table.result(merge), ...left.slice(best + 2)];
  }
}

const symbol = fc.integer({ min: 0, max: symbols - 1 });
/** A result is a new symbol, as a joined text is longer than its parts. */
const someMerges = fc
  .array(fc.record({ left: symbol, right: symbol }), { maxLength: 30 })
  .map((pairs) =>
    pairs
      .map(({ left, right }, index) => ({ left, right, result: index % symbols }))
      .filter(({ left, right, result }) => left < result && right < result),
  );
const someRun = fc.array(fc.oneof(symbol, fc.integer({ min: -3, max: 3 })), { maxLength: 40 });

test('the lowest merge goes first, wherever it is, and the leftmost of equals', () => {
  const [a, b, c, bc, ab, aa] = [0, 1, 2, 3, 4, 5];
  const table = pairMerges([
    { left: b, right: c, result: bc },
    { left: a, right: b, result: ab },
    { left: a, right: a, result: aa },
  ]);
  expect(merged(table, [a, b, c])).toEqual([a, bc]);
  expect(merged(table, [a, b, b])).toEqual([ab, b]);
  expect(merged(table, [a, a, a])).toEqual([aa, a]);
  expect(merged(table, [])).toEqual([]);
});

test('any run merges as the definition says', () => {
  fc.assert(
    fc.property(someMerges, someRun, (merges, run) => {
      const table = pairMerges(merges);
      expect(merged(table, run)).toEqual(mergedByDefinition(table, run));
    }),
    { numRuns: 2000 },
  );
});

test('merges of equal priority are taken from left to right, even where one makes room for another', () => {
  fc.assert(
    fc.property(someMerges, someRun, fc.integer({ min: 1, max: 4 }), (merges, run, levels) => {
      const pairs = pairMerges(merges);
      const table: MergeTable = {
        find: (left, right) => pairs.find(left, right),
        priority: (merge) => merge % levels,
        result: (merge) => pairs.result(merge),
      };
      expect(merged(table, run)).toEqual(mergedByDefinition(table, run));
    }),
    { numRuns: 2000 },
  );
});

test('of two merges that join the same pair the first counts', () => {
  const table = pairMerges([
    { left: 0, right: 1, result: 2 },
    { left: 0, right: 1, result: 3 },
  ]);
  expect(table.find(0, 1)).toBe(0);
  expect(table.find(1, 0)).toBe(-1);
  expect(table.find(-1, 1)).toBe(-1);
});

test('runs beyond the shared arrays merge the same', () => {
  const table = pairMerges([
    { left: 0, right: 0, result: 1 },
    { left: 1, right: 1, result: 2 },
  ]);
  const merger = new Merger(table);
  for (const length of [4, 5000, 6]) {
    const run = new Int32Array(length);
    expect(merger.merge(run, length)).toBe(Math.ceil(length / 4) + (length % 4 === 3 ? 1 : 0));
  }
});
