import { describe, expect, it } from 'vitest';
import { openAttention, type Rows } from '../../test/attention-sample.js';
import { expectCloseTo } from '../../test/close-to.js';

/** One row, or several, of one number each: q = 1. */
const ones = (rows: number) => Array.from({ length: rows }, () => [1]);
const column = (...values: number[]) => values.map((value) => [value]);

/** Scores 0 and ln 3, so weights 1/4 and 3/4 where both take part. */
const quarters: Rows = { pages: [0], q: ones(2), k: column(0, Math.log(3)), v: column(4, 8) };

/** Rows with equal scores whose values count up from the first position: row p gives their mean. */
const counting = (start: number, rows: number, pages: readonly number[], first = start): Rows => ({
  ...{ start, pages, q: ones(rows), k: column(...Array(rows).fill(0)) },
  v: column(...Array.from({ length: rows }, (_, i) => first + i)),
});

describe('attention', () => {
  it('lets each row look at the positions up to its own', async () => {
    const { attend } = await openAttention();
    expectCloseTo(await attend(quarters), [[4], [7]]);
  });

  it('multiplies scores by the scale', async () => {
    const { attend } = await openAttention({ scale: 0.5 });
    expectCloseTo(await attend({ ...quarters, k: column(0, 2 * Math.log(3)) }), [[4], [7]]);
  });

  it('bounds scores by the softcap', async () => {
    const { attend } = await openAttention({ softcap: Math.log(3) });
    expectCloseTo(await attend({ ...quarters, k: column(0, 1e9) }), [[4], [7]]);
  });

  it('looks back no further than the window', async () => {
    const { attend } = await openAttention({ window: 2 });
    expect(await attend(counting(0, 4, [0]))).toEqual([[0], [0.5], [1.5], [2.5]]);
    expect(await attend(counting(4, 1, [0]))).toEqual([[3.5]]);
  });

  it('adds a sink of each head to the denominator', async () => {
    const { attend } = await openAttention({ heads: 2, sinks: [0, Math.log(3)] });
    const row = { pages: [0], q: [[1, 1]], k: [[0]], v: [[8]] };
    expectCloseTo(await attend(row), [[4, 2]]);
  });

  it('shares a key head among the query heads of its group', async () => {
    const { attend } = await openAttention({ heads: 4, kvHeads: 2, headSize: 2, valueSize: 1 });
    const rows: Rows = {
      pages: [0],
      // Each head looks at the first or the second number of its keys.
      q: [Array(8).fill(0), [1, 0, 0, 1, 1, 0, 0, 1]],
      k: [
        [0, 0, 0, 0],
        [0, Math.log(3), Math.log(3), 0],
      ],
      v: [
        [4, 40],
        [8, 80],
      ],
    };
    expectCloseTo(await attend(rows), [
      [4, 4, 40, 40],
      [6, 7, 70, 60],
    ]);
  });

  it('reads on over pages in the order of the sequence, wherever they lie', async () => {
    const { attend } = await openAttention();
    const rows = await attend(counting(0, 34, [5, 2]));
    expect(rows).toEqual(Array.from({ length: 34 }, (_, p) => [p / 2]));
    expect(await attend(counting(34, 1, [5, 2]))).toEqual([[17]]);
  });

  it('lets two sequences share a full page and go on apart after a fork of the last', async () => {
    const { attend, cache } = await openAttention();
    await attend(counting(0, 34, [3, 1])); // values 0 .. 33, their sum 561
    await cache.copyPage(1, 6);
    const forks = await attend(counting(34, 1, [3, 1]), counting(34, 1, [3, 6], 69));
    expectCloseTo(forks, [[595 / 35], [630 / 35]]);
    const next = await attend(counting(35, 1, [3, 1], 5), counting(35, 1, [3, 6], 18));
    expectCloseTo(next, [[600 / 36], [648 / 36]]);
  });

  it('does not see what is left in a page from before', async () => {
    const { attend } = await openAttention();
    await attend({ ...counting(0, 32, [0]), v: column(...Array(32).fill(Number.NaN)) });
    expect(await attend(counting(0, 2, [0]))).toEqual([[0], [0.5]]);
  });

  it('keeps what is no number in its sequence', async () => {
    const { attend } = await openAttention();
    const bad = { ...counting(0, 2, [0]), k: column(0, Number.NaN) };
    expect(await attend(bad, counting(0, 2, [1]))).toEqual([[0], [Number.NaN], [0], [0.5]]);
  });

  it('keeps very large scores finite', async () => {
    const { attend } = await openAttention();
    expect(await attend({ ...quarters, k: column(-1e30, 1e30) })).toEqual([[4], [8]]);
  });

  it('reads keys and values back as an f16 cache holds them', async () => {
    const { attend } = await openAttention({ format: 'f16' });
    const rows = { pages: [0], q: ones(1), k: [[1]], v: [[1 / 3]] };
    expect(await attend(rows)).toEqual([[0.333251953125]]);
    // The keys 2048 and 2049 are one number in half precision: without rounding the weights would be 1 to e.
    const keys = { ...quarters, k: column(2048, 2049) };
    expect(await attend(keys)).toEqual([[4], [6]]);
  });

  it('reads keys and values back as a q8_0 cache holds them', async () => {
    const { attend } = await openAttention({ format: 'q8_0', headSize: 32, valueSize: 64 });
    const zeros = Array(32).fill(0);
    // Two blocks with scales 1 and 0.5: each number is rounded to a multiple of the scale of its block.
    const v = [[127, 0.4, 0.6, -2.5, ...zeros.slice(4), 63.5, 0.4, 0.1, ...zeros.slice(3)]];
    const out = await attend({ pages: [0], q: [zeros], k: [zeros], v });
    expect(out).toEqual([[127, 0, 1, -3, ...zeros.slice(4), 63.5, 0.5, 0, ...zeros.slice(3)]]);
  });
});
