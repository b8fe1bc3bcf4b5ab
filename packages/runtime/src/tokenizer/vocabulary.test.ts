import { isPocketError } from '@pocketllm/abi';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MetadataInput } from '../../../../tests/support/gguf-writer.js';
import {
  byteLevelKeys,
  control,
  type Keys,
  metadataOf,
  sentencePieceKeys,
  types,
  userDefined,
} from '../../../../tests/support/hand-made-vocabulary.js';
import type { GgufValue } from '../gguf/gguf-value.js';
import { createTokenizer } from './create-tokenizer.js';

const sound = byteLevelKeys(['a b', 'c d'], [['<end>', control]]);
const count = (sound.tokens as string[]).length;

async function warningsOf(keys: Keys): Promise<string[]> {
  const warnings: string[] = [];
  createTokenizer(await metadataOf(keys), (warning) => warnings.push(warning));
  return warnings;
}

/** The refusal as one text: code, field and what was found. */
async function refusalOf(keys: Keys): Promise<string> {
  const metadata = await metadataOf(keys);
  try {
    createTokenizer(metadata);
  } catch (error) {
    if (isPocketError(error)) return error.message;
    throw error;
  }
  return 'none';
}

function without(keys: Keys, gone: string): Keys {
  return Object.fromEntries(Object.entries(keys).filter(([key]) => key !== gone));
}

test('a sound vocabulary gives no warning', async () => {
  expect(await warningsOf(sound)).toEqual([]);
  expect(await warningsOf(sentencePieceKeys([['a', 0]]))).toEqual([]);
});

describe('refuses', () => {
  test.each([
    ['no model', without(sound, 'model'), /MALFORMED.*tokenizer\.ggml\.model.*missing/],
    ['a model of another kind', { ...sound, model: 'bert' }, /UNSUPPORTED.*bert.*gpt2, llama, gemma4/],
    ['text that would steer a terminal', { ...sound, model: '\u001b[2J' }, /found: \\u\{1b\}\[2J/],
    ['an unknown pre-tokenizer', { ...sound, pre: 'qwen99' }, /UNSUPPORTED.*tokenizer\.ggml\.pre.*qwen99/],
    ['no tokens', { ...sound, tokens: [], token_type: types([]) }, /MALFORMED.*tokenizer\.ggml\.tokens/],
    ['tokens that are no strings', { ...sound, tokens: types([1, 2]) }, /MALFORMED.*tokenizer\.ggml\.tokens/],
    ['too few types', { ...sound, token_type: types([1, 1]) }, /MALFORMED.*token_type.*2 elements/],
    [
      'types of one byte',
      { ...sound, token_type: { elementType: 'uint8' as const, values: new Array(count).fill(1) } },
      /MALFORMED.*token_type.*uint8/,
    ],
    ['no merges', without(sound, 'merges'), /MALFORMED.*tokenizer\.ggml\.merges.*missing/],
    [
      'an end token outside the vocabulary',
      { ...sound, eos_token_id: 2 ** 32 - 1 },
      /MALFORMED.*eos_token_id/,
    ],
    ['an id that is no integer', { ...sound, bos_token_id: 'one' }, /MALFORMED.*bos_token_id/],
    ['SentencePiece without scores', without(sentencePieceKeys([]), 'scores'), /MALFORMED.*scores.*missing/],
    [
      'a score that is no number',
      sentencePieceKeys([['a', Number.NaN]]),
      /MALFORMED.*scores.*NaN for token 259/,
    ],
  ])('%s', async (_, keys, message) => {
    const refusal = await refusalOf(keys);
    expect(refusal).toMatch(message);
    expect(refusal.length).toBeLessThan(2000);
  });
});

test('a vocabulary beyond what the merges can count is refused before it is indexed', () => {
  const tokens = new Array<string>(2 ** 22 + 1).fill('x');
  const metadata = new Map<string, GgufValue>([
    ['tokenizer.ggml.model', { type: 'string', value: 'gpt2', offset: 0 }],
    [
      'tokenizer.ggml.tokens',
      { type: 'array', elementType: 'string', values: tokens, raw: new Map(), offset: 0 },
    ],
  ]);
  expect(() => createTokenizer(metadata)).toThrow(/MODEL_UNSUPPORTED.*4194305/);
});

describe('warns, and goes on, where', () => {
  test('the pre-tokenizer is not named', async () => {
    expect(await warningsOf(without(sound, 'pre'))).toEqual([
      expect.stringMatching(/pre is absent.*"default"/),
    ]);
  });

  test('an id other than that of the end lies outside the vocabulary', async () => {
    const keys = { ...sound, bos_token_id: count, padding_token_id: -1, add_bos_token: true };
    expect(await warningsOf(keys)).toEqual([
      expect.stringMatching(/bos_token_id is 259, outside/),
      expect.stringMatching(/padding_token_id is -1, outside/),
    ]);
    const tokenizer = createTokenizer(await metadataOf(keys));
    expect(tokenizer.named).toEqual({});
    expect(tokenizer.encode('a', { addBos: true })).toEqual([97]);
  });

  test('merges name what is no token: they are counted and not applied', async () => {
    const keys = { ...sound, merges: ['z z', 'a b', 'zz zz', 'ab'] };
    expect(await warningsOf(keys)).toEqual([expect.stringMatching(/3 merges name no token.*"z z"/)]);
    expect(createTokenizer(await metadataOf(keys)).encode('zzzzab')).toEqual([122, 122, 122, 122, 256]);
  });
});

test('a type that is none is counted, and its token not used', async () => {
  const values = types([...new Array(count - 2).fill(1), 0, 9]);
  expect(await warningsOf({ ...sound, token_type: values })).toEqual([
    expect.stringMatching(/2 tokens have a type/),
  ]);
  expect(createTokenizer(await metadataOf({ ...sound, token_type: values })).encode('cd')).toEqual([99, 100]);
});

test('a merge that would make a control token is not applied and no fault', async () => {
  const keys = { ...sound, merges: ['< e', 'a b'], tokens: (sound.tokens as string[]).with(-1, '<e') };
  expect(await warningsOf(keys)).toEqual([]);
  expect(createTokenizer(await metadataOf(keys)).encode('<e')).toEqual([60, 101]);
});

test('scores of a byte-pair vocabulary do not matter', async () => {
  const scores = { elementType: 'float32' as const, values: [Number.NaN] };
  expect(await warningsOf({ ...sound, scores })).toEqual([]);
});

test('padding of the vocabulary is never sampled, found or shown, whichever type it has', async () => {
  const keys = byteLevelKeys(
    [],
    [
      ['[PAD256]', 5],
      ['[PAD257]', userDefined],
      ['<pad>', control],
    ],
  );
  const tokenizer = createTokenizer(await metadataOf({ ...keys, suppress_tokens: types([7, 9999]) }));
  expect([...tokenizer.suppressed].sort()).toEqual([256, 257, 7]);
  expect(tokenizer.encode('[PAD257]', { parseSpecial: true })).toHaveLength(8);
  expect(tokenizer.decode([97, 256, 257])).toBe('a');
});

test('a token that is no UTF-8 gives its bytes and is never made', async () => {
  const metadata = new Map(await metadataOf(byteLevelKeys([], [['?', 1]])));
  const tokens = metadata.get('tokenizer.ggml.tokens')!;
  if (tokens.type !== 'array' || tokens.elementType !== 'string') throw new TypeError('tokens are strings');
  const values = tokens.values.with(256, '\ufffd\ufffd');
  metadata.set('tokenizer.ggml.tokens', {
    ...tokens,
    values,
    raw: new Map([[256, Uint8Array.of(0xff, 0xfe)]]),
  });
  const tokenizer = createTokenizer(metadata);
  expect(tokenizer.tokenBytes(256)).toEqual(Uint8Array.of(0xff, 0xfe));
  expect(tokenizer.idOf('\ufffd\ufffd')).toBeUndefined();
  expect(tokenizer.encode('\ufffd\ufffd')).toEqual([0xef, 0xbf, 0xbd, 0xef, 0xbf, 0xbd]);
});

test('types may be uint32 too, and where they are absent all tokens are normal', async () => {
  const unsigned = { elementType: 'uint32' as const, values: [...new Array(count - 1).fill(1), control] };
  const tokenizer = createTokenizer(await metadataOf({ ...sound, token_type: unsigned }));
  expect(tokenizer.encode('<end>', { parseSpecial: true })).toEqual([count - 1]);
  const plain = createTokenizer(await metadataOf(without(sound, 'token_type')));
  expect(plain.encode('<end>', { parseSpecial: true })).toHaveLength(5);
});

test('special tokens of Phi-3 take the white space after them away', async () => {
  const keys = sentencePieceKeys(
    [['a', -1]],
    [
      ['<|user|>', control],
      ['<|endoftext|>', control],
    ],
  );
  const phi = createTokenizer(
    await metadataOf({ ...keys, 'general.name': 'Phi-3.5 mini', add_space_prefix: false }),
  );
  const other = createTokenizer(await metadataOf({ ...keys, add_space_prefix: false }));
  const [newline, a, user, end] = [3 + 10, 259, 260, 261];
  const text = '<|user|>\na<|endoftext|>\n';
  expect(phi.encode(text, { parseSpecial: true })).toEqual([user, a, end, newline]);
  expect(other.encode(text, { parseSpecial: true })).toEqual([user, newline, a, end, newline]);
});

test('whatever stands in the keys, a file is refused by name or gives a tokenizer that works', async () => {
  const text = fc.string({ unit: 'binary', maxLength: 4 });
  const integer = fc.oneof(fc.integer({ min: -3, max: 300 }), fc.constantFrom(2 ** 31 - 1, -(2 ** 31)));
  const value: fc.Arbitrary<MetadataInput | undefined> = fc.oneof(
    fc.constant(undefined),
    fc.constantFrom('gpt2', 'llama', 'gemma4', 'llama-bpe', 'default'),
    fc.boolean(),
    integer,
    fc.array(text, { maxLength: 5 }),
    fc.array(integer, { maxLength: 5 }).map((values) => types(values)),
    fc.array(fc.float(), { maxLength: 5 }).map((values) => ({ elementType: 'float32' as const, values })),
  );
  const names = ['model', 'pre', 'tokens', 'token_type', 'scores', 'merges', 'suppress_tokens'];
  const ids = ['bos_token_id', 'eos_token_id', 'unknown_token_id', 'fim_pad_token_id'];
  const flags = ['add_bos_token', 'add_eos_token', 'add_space_prefix'];
  const bases = [
    sound,
    sentencePieceKeys([['a', 0]]),
    { model: 'llama', tokens: ['a', 'aa'], merges: ['a a'] },
  ];
  const changes = fc.dictionary(fc.constantFrom(...names, ...ids, ...flags), value, { maxKeys: 3 });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom<Keys>(...bases), changes, text, async (base, changed, sample) => {
      const keys = Object.entries({ ...base, ...changed }).filter(([, value]) => value !== undefined);
      const metadata = await metadataOf(Object.fromEntries(keys) as Keys);
      try {
        const tokenizer = createTokenizer(metadata);
        const encoded = tokenizer.encode(`${sample}aa`, { parseSpecial: true, addBos: true, addEos: true });
        tokenizer.decode(encoded, { special: true });
      } catch (error) {
        if (!isPocketError(error, 'MODEL_MALFORMED') && !isPocketError(error, 'MODEL_UNSUPPORTED'))
          throw error;
      }
    }),
    { numRuns: 1000 },
  );
});
