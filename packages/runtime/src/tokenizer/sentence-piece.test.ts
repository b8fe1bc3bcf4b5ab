import { expect, test } from 'vitest';
import {
  metadataOf,
  sentencePieceKeys,
  userDefined,
} from '../../../../tests/support/hand-made-vocabulary.js';
import { createTokenizer } from './create-tokenizer.js';
import recorded from './sentence-piece.recorded.json' with { type: 'json' };

const first = 3 + 256;
const byte = (value: number) => 3 + value;

test('the pair with the best score merges first, the leftmost of equals', async () => {
  const pieces = [
    ['▁', -9],
    ['a', -9],
    ['b', -9],
    ['ab', -2],
    ['ba', -1],
    ['aa', -1],
  ] as const;
  const tokenizer = createTokenizer(
    await metadataOf({ ...sentencePieceKeys(pieces), add_space_prefix: false }),
  );
  const [, a, b, ab, ba, aa] = pieces.map((_, index) => first + index);
  expect(tokenizer.encode('aba')).toEqual([a, ba]);
  expect(tokenizer.encode('abb')).toEqual([ab, b]);
  expect(tokenizer.encode('aaa')).toEqual([aa, a]);
});

test('a character that is no token may still be part of one; alone it becomes its bytes', async () => {
  const tokenizer = createTokenizer(
    await metadataOf({ ...sentencePieceKeys([['xé', 0]]), add_space_prefix: false }),
  );
  expect(tokenizer.encode('xé')).toEqual([first]);
  expect(tokenizer.encode('é')).toEqual([byte(0xc3), byte(0xa9)]);
  expect(tokenizer.decode([byte(0xc3), byte(0xa9), first])).toBe('éxé');
});

test('a byte without a token is the unknown token', async () => {
  const tokenizer = createTokenizer(
    await metadataOf({
      model: 'llama',
      tokens: ['<unk>', 'a'],
      token_type: { elementType: 'int32', values: [2, 1] },
      scores: { elementType: 'float32', values: [0, 0] },
      add_space_prefix: false,
    }),
  );
  expect(tokenizer.encode('aé')).toEqual([1, 0, 0]);
});

test('a space is put before the text and after each special token', async () => {
  const pieces = [
    ['▁a', -1],
    ['a', -2],
    ['▁', -3],
  ] as const;
  const tokenizer = createTokenizer(await metadataOf(sentencePieceKeys(pieces, [['<x>', userDefined]])));
  const [word, , space] = pieces.map((_, index) => first + index);
  expect(tokenizer.encode('a<x>a')).toEqual([word, first + 3, word]);
  expect(tokenizer.encode(' a')).toEqual([space, word]);
  expect(tokenizer.encode('')).toEqual([]);
});

test('the spelling of a control or byte token in a text stays text', async () => {
  const pieces = ['<', 's', '>', '/', '<s', '</', '</s', '0', 'x', 'A'].map((text) => [text, -1] as const);
  const tokenizer = createTokenizer(
    await metadataOf({ ...sentencePieceKeys(pieces), add_space_prefix: false }),
  );
  for (const text of ['<s>', '</s>', '<0x0A>', '<unk>']) {
    for (const id of tokenizer.encode(text)) expect(tokenizer.token(id).text).not.toBe(text);
    expect(tokenizer.decode(tokenizer.encode(text))).toBe(text);
  }
});

test('the space in front of a text is dropped where the ids begin one, and only there', async () => {
  const tokenizer = createTokenizer(await metadataOf(sentencePieceKeys([['▁a', -1]])));
  const ids = tokenizer.encode('a a', { addBos: true });
  expect(ids).toEqual([1, first, first]);
  expect(tokenizer.decode(ids)).toBe(' a a');
  expect(tokenizer.decode(ids, { atStart: true })).toBe('a a');
});

test.each(recorded.vocabularies.map((vocabulary, index) => ({ vocabulary, index })))(
  'ids are those that sentencepiece gives: vocabulary $index',
  async ({ vocabulary }) => {
    const keys = sentencePieceKeys(
      vocabulary.pieces.map(([text, score]) => [String(text), Number(score)] as const),
      vocabulary.userDefined.map((text) => [text, userDefined] as const),
    );
    const metadata = await metadataOf({ ...keys, add_space_prefix: vocabulary.addSpacePrefix });
    const tokenizer = createTokenizer(metadata);
    for (const { text, ids } of vocabulary.cases) {
      expect(tokenizer.encode(text), text).toEqual(ids);
      // The mark of a space is a space to SentencePiece.
      expect(tokenizer.decode(ids, { atStart: true })).toBe(text.replaceAll('▁', ' '));
    }
  },
);
