import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasShared, sharedPath } from '../../../../tests/support/shared.js';
import { cutterOf } from './pretokenize.js';
import { preTokenizerNamed, preTokenizerNames } from './pretokenizers.js';

function pieces(name: string, text: string): string[] {
  const found: string[] = [];
  cutterOf(preTokenizerNamed(name)!)(text, (piece) => found.push(piece));
  return found;
}

/** Each under its first name. */
const entries = preTokenizerNames.filter((name) => preTokenizerNamed(name)!.names[0] === name);

/** Text in which the classes of the expressions meet: cases, marks, digits, kinds of space and punctuation. */
const mixed = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "'s",
        "'LL",
        ' ',
        '  ',
        '\n',
        '\r\n',
        '\t',
        '\u0085',
        '\u00a0',
        '\ufeff',
        '$',
        '`',
        '/',
      ),
      fc.constantFrom(
        'a',
        'B',
        'ǅ',
        'ʰ',
        'ß',
        'é',
        'e\u0301',
        '中',
        'の',
        '한',
        '𝓑',
        '😀',
        'ſ',
        '7',
        '½',
        '٣',
        'Ⅷ',
      ),
      fc.string({ unit: 'binary', maxLength: 2 }),
    ),
    { maxLength: 20 },
  )
  .map((parts) => parts.join(''));

test.each(entries)('%s: the pieces joined are the text, and none is empty', (name) => {
  fc.assert(
    fc.property(mixed, (text) => {
      const found = pieces(name, text);
      expect(found.join('')).toBe(text);
      expect(found).not.toContain('');
    }),
    { numRuns: 50 },
  );
});

test.each(entries)('%s cuts where a window may end', (name) => {
  const borders = name === 'gemma4' ? ['\n'] : ['\n', ' z'];
  fc.assert(
    fc.property(mixed, fc.constantFrom(...borders), mixed, (before, border, after) => {
      const [left, right] = [`${before}z`, border + after];
      expect(pieces(name, left + right)).toEqual([...pieces(name, left), ...pieces(name, right)]);
    }),
    { numRuns: 100 },
  );
});

test('a name belongs to one pre-tokenizer', () => {
  expect(new Set(preTokenizerNames).size).toBe(preTokenizerNames.length);
  expect(preTokenizerNamed('qwen')).toBeUndefined();
});

test('families differ in digits, contractions and the space before a word', () => {
  expect(pieces('qwen2', "I'M  12 a1")).toEqual(['I', "'M", ' ', ' ', '1', '2', ' a', '1']);
  expect(pieces('llama3', '12345  x')).toEqual(['123', '45', ' ', ' x']);
  expect(pieces('gpt-2', "I'M 12  x")).toEqual(['I', "'", 'M', ' 12', ' ', ' x']);
  expect(pieces('starcoder', 'ab 12')).toEqual(['ab', ' ', '1', '2']);
  expect(pieces('gpt-4o', "XMLHttp don't")).toEqual(['XMLHttp', " don't"]);
  expect(pieces('tekken', "don't")).toEqual(['don', "'t"]);
  expect(pieces('gemma4', 'a b\n\nc')).toEqual(['a b', '\n\n', 'c']);
});

describe.skipIf(!hasShared('facts'))('recorded pre-tokenizers (needs ../shared/facts)', () => {
  const read = (path: string) => JSON.parse(readFileSync(sharedPath(`facts/${path}`), 'utf8'));
  const vectors: { texts: string[]; pieces: Record<string, string[][]> } = read('vectors/pretokenize.json');
  const table: Record<
    string,
    {
      regexes: string[];
      aliases: string[];
      ignoreMerges: boolean;
      addBosDefault: boolean;
      rawUtf8?: boolean;
    }
  > = read('tables/pretokenizers.json').pre;

  test.each(Object.entries(vectors.pieces))('%s cuts the recorded texts as recorded', (name, expected) => {
    expect(vectors.texts.map((text) => pieces(name, text))).toEqual(expected);
  });

  test('each entry of the recorded table is here under all of its names', () => {
    const listed = Object.entries(table).flatMap(([name, { aliases }]) => [
      name,
      ...aliases.filter((alias) => alias !== '(key absent)'),
    ]);
    expect([...preTokenizerNames].sort()).toEqual(listed.sort());
    for (const [name, { ignoreMerges, addBosDefault, rawUtf8 = false, aliases }] of Object.entries(table)) {
      for (const alias of [name, ...aliases.filter((alias) => alias !== '(key absent)')]) {
        const entry = preTokenizerNamed(alias)!;
        expect(entry, alias).toBe(preTokenizerNamed(name));
        const flags = [entry.ignoreMerges === true, entry.addBos === true, entry.rawUtf8 === true];
        expect(flags, alias).toEqual([ignoreMerges, addBosDefault, rawUtf8]);
      }
    }
  });

  test.each(Object.entries(table))('%s cuts any text as the recorded expressions do', (name, { regexes }) => {
    const expected = cutterOf({ names: [], expressions: regexes });
    fc.assert(
      fc.property(mixed, (text) => {
        const found: string[] = [];
        expected(text, (piece) => found.push(piece));
        expect(pieces(name, text)).toEqual(found);
      }),
      { numRuns: 300 },
    );
  });
});
