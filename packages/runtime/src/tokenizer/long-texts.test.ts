import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { metadataOf, sentencePieceKeys } from '../../../../tests/support/hand-made-vocabulary.js';
import { fastestOf } from '../../../../tests/support/processor-time.js';
import { memorySource, readGguf } from '../gguf/index.js';
import { createTokenizer } from './create-tokenizer.js';
import { cutterOf } from './pretokenize.js';
import { preTokenizerNamed, preTokenizerNames } from './pretokenizers.js';
import { windowsOf } from './windows.js';

const length = 2 ** 20;
const texts = {
  'one letter': 'a'.repeat(length),
  spaces: ' '.repeat(length),
  'line ends': '\n'.repeat(length),
  digits: '7'.repeat(length),
  'a line of base64': randomBytes(length).toString('base64').slice(0, length),
  'one Chinese character': '中'.repeat(length),
  emoji: '😀'.repeat(length / 2),
  'spaces before a digit': `${' '.repeat(length - 1)}7`,
  'letters of two cases': 'aA'.repeat(length / 2),
  'the start of a special token': '<|im_'.repeat(length / 5),
  'words of one letter': 'b '.repeat(length / 2),
};

const timed = <T>(work: () => T) => fastestOf(3, 2000, work);

/** Texts of the powers of two of a text, the longer the worse. */
const doubled = (text: string, count: number) =>
  Array.from({ length: count }, (_, n) => [text.repeat(2 ** n), -n] as const);
const pieces = [...doubled('a', 6), ...doubled('▁', 6), ...doubled('7', 3), ['\n', -1], ['b', -1]] as const;
// A token that goes on past a word keeps a text from being merged word by word.
const pastWords = ['a▁a', -9] as const;

const tale = new URL('../../../../models/tale-q8_0.gguf', import.meta.url);
const kinds = Object.keys(texts) as (keyof typeof texts)[];
const vocabularies = [
  { name: 'byte-level', metadata: await taleMetadata(), some: kinds },
  {
    name: 'SentencePiece',
    metadata: await metadataOf(sentencePieceKeys([...pieces, pastWords])),
    some: kinds,
  },
  {
    name: 'SentencePiece, word by word',
    metadata: await metadataOf(sentencePieceKeys(pieces)),
    some: ['spaces', 'words of one letter'] as const,
  },
];

async function taleMetadata() {
  return (await readGguf(memorySource(readFileSync(tale)))).metadata;
}

describe.each(vocabularies)('a megabyte takes less than two seconds: $name', ({ metadata, some }) => {
  const tokenizer = createTokenizer(metadata);

  test.each(some)('%s', (kind) => {
    const { result: ids, ms } = timed(() => tokenizer.encode(texts[kind], { parseSpecial: true }));
    expect(ms).toBeLessThan(2000);
    expect(tokenizer.decode(ids, { atStart: true }) === texts[kind]).toBe(true);
  });
});

const entries = preTokenizerNames.filter((name) => preTokenizerNamed(name)!.names[0] === name);

test.each(entries)('%s cuts each of these texts in less than two seconds', (name) => {
  const cut = cutterOf(preTokenizerNamed(name)!);
  for (const [kind, text] of Object.entries(texts)) {
    const { result: units, ms } = timed(() => {
      let counted = 0;
      cut(text, (piece) => {
        counted += piece.length;
      });
      return counted;
    });
    expect(units, kind).toBe(text.length);
    expect(ms, kind).toBeLessThan(2000);
  }
});

test('a run longer than an expression engine can match is cut in windows', () => {
  const cut = cutterOf(preTokenizerNamed('gpt-4o')!);
  const run = '中'.repeat(4 * length);
  expect(() => cut(run, () => {})).toThrow(RangeError);
  const found: number[] = [];
  for (const window of windowsOf(run)) cut(window, (piece) => found.push(piece.length));
  expect(found).toEqual([length, length, length, length]);
});
