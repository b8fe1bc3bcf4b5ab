import { isPocketError } from '@pocketllm/abi';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  byteLevelKeys,
  control,
  metadataOf,
  userDefined,
} from '../../../../tests/support/hand-made-vocabulary.js';
import { createTokenizer } from './create-tokenizer.js';
import type { TextPart } from './tokenizer.js';

const merges = ['e r', 'u s', 'us er', 'Ċ Ċ', 'H i', 'Ġ Hi'];
const [user, hi] = [258, 260];
const added = [
  ['<|im_start|>', control],
  ['<|im_end|>', control],
  ['<think>', userDefined],
] as const;
const [start, end, think] = [262, 263, 264];
const keys = byteLevelKeys(merges, added);
const tokenizer = createTokenizer(await metadataOf(keys));

const template = (text: string): TextPart => ({ text, trusted: true });
const message = (text: string): TextPart => ({ text, trusted: false });

describe('parts of a prompt', () => {
  test('control tokens of the template are found, those of a message stay text', () => {
    const ids = tokenizer.encodeParts([
      template('<|im_start|>user\n'),
      message('<|im_end|>'),
      template('<|im_end|>'),
    ]);
    const asText = [...new TextEncoder().encode('<|im_end|>')];
    expect(ids).toEqual([start, user, 10, ...asText, end]);
  });

  test('no control token comes of what two parts write together', () => {
    const ids = tokenizer.encodeParts([template('<|im_'), message('end|>'), template('<|im_end|>')]);
    expect(ids.filter((id) => id >= start)).toEqual([end]);
  });

  test('trusted neighbours are one text, also for control tokens', () => {
    expect(tokenizer.encodeParts([template('<|im_'), template('end|>')])).toEqual([end]);
  });

  test('text between special tokens is one text, whoever wrote it', () => {
    expect(tokenizer.encodeParts([template('<|im_start|>us'), message('er')])).toEqual([start, user]);
    expect(tokenizer.encodeParts([template('\ud83d'), message('\ude00')])).toEqual(tokenizer.encode('😀'));
  });

  test('user-defined tokens are found in messages too', () => {
    expect(tokenizer.encodeParts([message('Hi<think>')])).toEqual([hi, think]);
  });

  test('however a text is cut into parts of one kind, its ids are the same', () => {
    const piece = fc.constantFrom(
      '<|im_start|>',
      '<|im_end|>',
      '<think>',
      '<|',
      'user',
      ' Hi',
      '\n',
      'é',
      '😀',
    );
    fc.assert(
      fc.property(fc.array(piece), fc.array(fc.nat(60)), fc.boolean(), (pieces, cuts, trusted) => {
        const text = pieces.join('');
        const at = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length];
        const parts = at.slice(1).map((to, index) => ({ text: text.slice(at[index], to), trusted }));
        expect(tokenizer.encodeParts(parts)).toEqual(tokenizer.encode(text, { parseSpecial: trusted }));
      }),
      { numRuns: 500 },
    );
  });
});

describe('start and end tokens', async () => {
  const marks = { bos_token_id: start, eos_token_id: end };
  const marking = createTokenizer(
    await metadataOf({ ...keys, ...marks, add_bos_token: true, add_eos_token: true }),
  );

  test('are added where both the caller and the file ask for them', () => {
    expect(marking.encode('Hi', { addBos: true, addEos: true })).toEqual([start, hi, end]);
    expect(marking.encode('Hi')).toEqual([hi]);
    expect(tokenizer.encode('Hi', { addBos: true, addEos: true })).toEqual([hi]);
    expect(marking.encode('', { addBos: true })).toEqual([start]);
  });

  test('are not added to a prompt that has them', () => {
    const ids = marking.encode('<|im_start|>Hi<|im_end|>', {
      parseSpecial: true,
      addBos: true,
      addEos: true,
    });
    expect(ids).toEqual([start, hi, end]);
  });

  test('follow the pre-tokenizer where the file does not say', async () => {
    const llama = createTokenizer(await metadataOf({ ...keys, ...marks, pre: 'llama-bpe' }));
    expect(llama.encode('Hi', { addBos: true, addEos: true })).toEqual([start, hi]);
  });
});

test('control tokens are shown on request only, user-defined ones always', () => {
  const ids = [start, user, end, think];
  expect(tokenizer.decode(ids)).toBe('user<think>');
  expect(tokenizer.decode(ids, { special: true })).toBe('<|im_start|>user<|im_end|><think>');
});

test('a token is known by id and by its spelling', () => {
  expect(tokenizer.vocabularySize).toBe(265);
  expect(tokenizer.token(end)).toEqual({ id: end, text: '<|im_end|>', type: 'control' });
  expect(tokenizer.token(32)).toEqual({ id: 32, text: 'Ġ', type: 'normal' });
  expect(tokenizer.idOf('<think>')).toBe(think);
  expect(tokenizer.idOf('<none>')).toBeUndefined();
  expect(tokenizer.tokenBytes(259)).toEqual(Uint8Array.of(10, 10));
  expect(tokenizer.tokenBytes(end)).toEqual(new TextEncoder().encode('<|im_end|>'));
  expect([...tokenizer.endOfGeneration]).toEqual([end]);
});

test.each([-1, 265, 1.5, Number.NaN])('the id %d is refused', (id) => {
  for (const use of [
    () => tokenizer.decode([id]),
    () => tokenizer.token(id),
    () => tokenizer.tokenBytes(id),
    () => tokenizer.textStream().push(id),
  ]) {
    expect(use).toThrow(expect.toSatisfy((error: unknown) => isPocketError(error, 'REQUEST_INVALID')));
  }
});

test('streamed pieces joined are the decoded whole, whatever the ids', () => {
  const id = fc.oneof(
    fc.nat(264),
    fc.integer({ min: 128, max: 255 }),
    fc.constantFrom(0xe4, 0xb8, 0xad, 0xf0),
  );
  fc.assert(
    fc.property(fc.array(id, { maxLength: 60 }), fc.boolean(), fc.boolean(), (ids, special, atStart) => {
      const options = { special, atStart };
      const stream = tokenizer.textStream(options);
      const pieces = [...ids.map((id) => stream.push(id)), stream.flush()];
      expect(pieces.join('')).toBe(tokenizer.decode(ids, options));
    }),
    { numRuns: 2000 },
  );
});
