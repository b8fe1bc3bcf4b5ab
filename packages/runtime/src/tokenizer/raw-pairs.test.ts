import { expect, test } from 'vitest';
import { metadataOf, types } from '../../../../tests/support/hand-made-vocabulary.js';
import { createTokenizer } from './create-tokenizer.js';

const tokens = [
  ...['<pad>', '<eos>', '<bos>', '<unk>', '<0xC3>', '<0xA9>', '\n', '\n\n\n'],
  ...['a', 'b', '▁', '▁a', 'a▁a', '▁▁'],
];
const id = Object.fromEntries(tokens.map((text, index) => [text, index]));

const tokenizer = createTokenizer(
  await metadataOf({
    model: 'gemma4',
    tokens,
    token_type: types([3, 3, 3, 2, 6, 6, ...new Array(tokens.length - 6).fill(1)]),
    merges: ['▁ a', '▁ ▁'],
    bos_token_id: 2,
    unknown_token_id: 3,
  }),
);

test('spaces are marked, and characters merge by rank across no line end', () => {
  expect(tokenizer.encode('a a')).toEqual([id.a, id['▁a']]);
  expect(tokenizer.encode('a   a')).toEqual([id.a, id['▁▁'], id['▁a']]);
  expect(tokenizer.encode('a\n a')).toEqual([id.a, id['\n'], id['▁a']]);
});

test('a run of line ends that is a token is taken whole, though no merge makes it', () => {
  expect(tokenizer.encode('\n\n\n')).toEqual([id['\n\n\n']]);
  expect(tokenizer.encode('\n\na')).toEqual([id['\n'], id['\n'], id.a]);
});

test('a character without a token becomes its bytes, a byte without one the unknown token', () => {
  expect(tokenizer.encode('é')).toEqual([id['<0xC3>'], id['<0xA9>']]);
  expect(tokenizer.encode('è')).toEqual([id['<0xC3>'], id['<unk>']]);
});

test('the start token is put in front though no key asks for it, and decoding turns marks to spaces', () => {
  expect(tokenizer.encode('a', { addBos: true })).toEqual([id['<bos>'], id.a]);
  expect(tokenizer.decode([id['<bos>']!, id['▁▁']!, id['▁a']!, id['<0xC3>']!, id['<0xA9>']!])).toBe('   aé');
});
