import { describe, expect, it } from 'vitest';
import { openSmallModel, type Piece, vocabulary } from '../test/small-model.js';

const tokensOf = (length: number, seed: number) =>
  Array.from({ length }, (_, i) => (i * i * 7 + i * 3 + seed) % vocabulary);

/** 70 tokens: two full pages and a part of a third. */
const prompt: Piece = { tokens: tokensOf(70, 1), start: 0, pages: [4, 7, 2] };

const pieceOf = (piece: Piece, from: number, to: number): Piece => ({
  ...piece,
  tokens: piece.tokens.slice(from, to),
  start: piece.start + from,
});

describe.each(['f32', 'f16', 'q8_0'] as const)('results over a cache of %s are the same bits', (format) => {
  const whole = openSmallModel(format).then(({ logitsOf }) => logitsOf(prompt));

  it.each([[1], [2], [31], [32], [33], [64]])('when a prompt is cut after every %i tokens', async (size) => {
    const { logitsOf } = await openSmallModel(format);
    const parts: number[] = [];
    for (let from = 0; from < prompt.tokens.length; from += size) {
      parts.push(...(await logitsOf(pieceOf(prompt, from, from + size))));
    }
    expect(Float32Array.from(parts)).toEqual(await whole);
  });

  it('whoever shares the step, before or after it', async () => {
    const { logitsOf } = await openSmallModel(format);
    const first: Piece = { tokens: tokensOf(3, 5), start: 0, pages: [0] };
    const last: Piece = { tokens: tokensOf(20, 9), start: 0, pages: [1] };
    const shared = await logitsOf(first, prompt, last);
    expect(shared.slice(3 * vocabulary, -20 * vocabulary)).toEqual(await whole);
    const alone = await (await openSmallModel(format)).logitsOf(last);
    expect(shared.slice(-20 * vocabulary)).toEqual(alone);
  });

  it('whichever pages hold the sequence', async () => {
    const { logitsOf } = await openSmallModel(format);
    expect(await logitsOf({ ...prompt, pages: [11, 0, 5] })).toEqual(await whole);
  });

  it('when a prefix is shared, or goes through readPage and writePage', async () => {
    const { logitsOf, cache } = await openSmallModel(format);
    await logitsOf(pieceOf(prompt, 0, 64));
    await cache.writePage(9, await cache.readPage(7));
    const rest = pieceOf({ ...prompt, pages: [4, 9, 3] }, 64, 70);
    expect(await logitsOf(rest)).toEqual((await whole).slice(64 * vocabulary));
  });
});

it('the format of the cache is seen in the results', async () => {
  const [f32, f16] = await Promise.all(
    (['f32', 'f16'] as const).map(async (format) => (await openSmallModel(format)).logitsOf(prompt)),
  );
  expect(f32).not.toEqual(f16);
});
