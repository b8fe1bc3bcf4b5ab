import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byteLevelKeys, metadataOf } from '../../../../tests/support/hand-made-vocabulary.js';
import { createTokenizer } from './create-tokenizer.js';

const bytes = (text: string) => [...new TextEncoder().encode(text)];

test('merges apply by rank within a piece and never across pieces', async () => {
  const tokenizer = createTokenizer(
    await metadataOf(byteLevelKeys(['l o', 'h e', 'e l', 'he l', 'o Ġ', 'Ġ lo'])),
  );
  const [lo, he, , hel, , spaceLo] = [256, 257, 258, 259, 260, 261];
  expect(tokenizer.encode('hello')).toEqual([hel, lo]);
  expect(tokenizer.encode('he lo')).toEqual([he, spaceLo]);
  expect(tokenizer.encode('lo lo')).toEqual([lo, spaceLo]);
});

test('characters merge byte by byte', async () => {
  const [first, second] = [...'Ã©'];
  const tokenizer = createTokenizer(await metadataOf(byteLevelKeys([`${first} ${second}`])));
  expect(tokenizer.encode('é')).toEqual([256]);
  expect(tokenizer.encode('è')).toEqual(bytes('è'));
});

test('a whole piece that is a token needs no merges where the pre-tokenizer says so', async () => {
  const keys = byteLevelKeys(['a b', 'b c', 'ab cd']);
  // "abcd" is a token, but no merge makes "cd".
  const merging = createTokenizer(await metadataOf(keys));
  const whole = createTokenizer(await metadataOf({ ...keys, pre: 'llama-bpe' }));
  expect(merging.encode('abcd')).toEqual([256, 99, 100]);
  expect(whole.encode('abcd')).toEqual([258]);
  expect(whole.encode(' abcd')).toEqual([32, 256, 99, 100]);
});

test('bytes without a token are dropped, and keep their neighbours apart', async () => {
  const keys = byteLevelKeys(['a b']);
  const tokens = (keys.tokens as string[]).map((text) => (text === 'Ą' ? '[gone]' : text));
  const tokenizer = createTokenizer(await metadataOf({ ...keys, tokens }));
  expect(tokenizer.encode('a\u0004b')).toEqual([97, 98]);
  expect(tokenizer.encode('\u0004')).toEqual([]);
  expect(tokenizer.encode('ab')).toEqual([256]);
});

test('a lone surrogate is U+FFFD', async () => {
  const tokenizer = createTokenizer(await metadataOf(byteLevelKeys([])));
  expect(tokenizer.encode('a\ud800b')).toEqual(bytes('a\ufffdb'));
});

test('any text comes back, whatever merges there are', async () => {
  const tokenizer = createTokenizer(
    await metadataOf(
      byteLevelKeys(['t h', 'th e', 'Ġ the', 'Ġ Ġ', 'ĠĠ ĠĠ', 'Ã ©', 'ä ¸', 'ð Ł', 'ðŁ ĺ', 'Ċ Ċ']),
    ),
  );
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('t', 'h', 'e', ' ', '\n', 'é', '中', '😀') }),
  );
  fc.assert(
    fc.property(text, (some) => {
      expect(tokenizer.decode(tokenizer.encode(some))).toBe(some);
    }),
    { numRuns: 1000 },
  );
});
