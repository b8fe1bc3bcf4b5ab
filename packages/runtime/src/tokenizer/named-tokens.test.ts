import { expect, test } from 'vitest';
import {
  byteLevelKeys,
  control,
  type Keys,
  metadataOf,
  sentencePieceKeys,
} from '../../../../tests/support/hand-made-vocabulary.js';
import { createTokenizer } from './create-tokenizer.js';

async function endings(texts: readonly string[], keys: Keys = {}): Promise<string[]> {
  const vocabulary = byteLevelKeys(
    [],
    texts.map((text) => [text, control] as const),
  );
  const tokenizer = createTokenizer(await metadataOf({ ...vocabulary, ...keys }));
  return Array.from(tokenizer.endOfGeneration, (id) => tokenizer.token(id).text).sort();
}

test('an answer ends at eos, eot and eom, at tokens spelled like one, and at fill-in-the-middle separators', async () => {
  const texts = [
    '<a>',
    '<b>',
    '<c>',
    '<|im_end|>',
    '<|im_start|>',
    '<|fim_pad|>',
    '<|fim_prefix|>',
    '<reponame>',
  ];
  const keys = { eos_token_id: 256, eot_token_id: 257, eom_token_id: 258 };
  expect(await endings(texts, keys)).toEqual([
    '<a>',
    '<b>',
    '<c>',
    '<reponame>',
    '<|fim_pad|>',
    '<|im_end|>',
  ]);
});

test('a key decides over the spelling of a fill-in-the-middle token', async () => {
  const texts = ['<other>', '<|fim_pad|>'];
  expect(await endings(texts, { fim_pad_token_id: 256 })).toEqual(['<other>']);
});

test('<|end|> is no end beside <|return|> and <|call|>, nor </s> beside <|tool_response>', async () => {
  expect(await endings(['<|end|>', '<|return|>'])).toEqual(['<|end|>', '<|return|>']);
  expect(await endings(['<|end|>', '<|return|>', '<|call|>'])).toEqual(['<|call|>', '<|return|>']);
  expect(await endings(['<|end|>', '<|calls|>', '<|flush|>'])).toEqual(['<|calls|>', '<|flush|>']);
  expect(await endings(['</s>', '<|tool_response>'])).toEqual(['<|tool_response>']);
});

test('a token spelled like an end is a control token, whatever its type says', async () => {
  const tokenizer = createTokenizer(
    await metadataOf({
      ...byteLevelKeys(
        [],
        [
          ['<|im_end|>', 4],
          ['<|fim_pad|>', 1],
        ],
      ),
    }),
  );
  expect(tokenizer.token(256).type).toBe('control');
  expect(tokenizer.encode('<|im_end|>')).toHaveLength(10);
  expect(tokenizer.encode('<|im_end|><|fim_pad|>', { parseSpecial: true })).toEqual([256, 257]);
  expect(tokenizer.decode([256])).toBe('');
});

test('an end that only its key names stays ordinary text', async () => {
  const tokenizer = createTokenizer(await metadataOf({ ...byteLevelKeys([]), eos_token_id: 10 }));
  expect(tokenizer.isEndOfGeneration(10)).toBe(true);
  expect(tokenizer.decode(tokenizer.encode('a\n'))).toBe('a\n');
});

test('old names of keys count, and SentencePiece has default ids', async () => {
  const old = createTokenizer(
    await metadataOf({ ...byteLevelKeys([]), prefix_token_id: 5, middle_token_id: 6 }),
  );
  expect(old.named).toEqual({ fimPrefix: 5, fimMiddle: 6 });
  const pieces = createTokenizer(await metadataOf(sentencePieceKeys([])));
  expect(pieces.named).toEqual({ bos: 1, eos: 2, unknown: 0 });
  expect([...pieces.endOfGeneration]).toEqual([2]);
});
