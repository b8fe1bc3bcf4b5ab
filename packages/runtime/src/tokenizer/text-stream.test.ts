import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textStream } from './text-stream.js';

/** Streams chunks of bytes; the last element is what the flush gives. */
function streamed(...chunks: readonly (readonly number[])[]): string[] {
  const stream = textStream((id) => Uint8Array.from(chunks[id]!));
  return [...chunks.keys()].map((id) => stream.push(id)).concat(stream.flush());
}

test('a character comes out whole, with its last byte', () => {
  expect(streamed([0xf0], [0x9f], [0x98], [0x80])).toEqual(['', '', '', '😀', '']);
  expect(streamed([0x61, 0xc3], [0xa9, 0x62])).toEqual(['a', 'éb', '']);
});

test('what is incomplete in the end is U+FFFD', () => {
  expect(streamed([0x61, 0xe4, 0xb8])).toEqual(['a', '\ufffd']);
  expect(streamed([0x61])).toEqual(['a', '']);
});

test('bytes that are no UTF-8 are U+FFFD, at once where it is certain', () => {
  expect(streamed([0xff], [0x61])).toEqual(['\ufffd', 'a', '']);
  expect(streamed([0xe4, 0xb8], [0x61])).toEqual(['', '\ufffda', '']);
  expect(streamed([0xed, 0xa0, 0x80])).toEqual(['\ufffd\ufffd\ufffd', '']);
});

test('a mark of byte order is text', () => {
  expect(streamed([0xef, 0xbb, 0xbf], [0x61])).toEqual(['\ufeff', 'a', '']);
});

test('whatever the bytes and their division, the pieces joined are the text of the whole', () => {
  const byte = fc.oneof(
    fc.integer({ min: 0, max: 255 }),
    fc.constantFrom(0x80, 0xbf, 0xc2, 0xe0, 0xed, 0xf0, 0xf4),
  );
  const sound = fc
    .string({ unit: 'binary', maxLength: 3 })
    .map((text) => [...new TextEncoder().encode(text)]);
  const bytes = fc
    .array(
      fc.oneof(
        byte.map((one) => [one]),
        sound,
      ),
      { maxLength: 20 },
    )
    .map((some) => some.flat());
  fc.assert(
    fc.property(fc.array(bytes, { maxLength: 8 }), (chunks) => {
      const pieces = streamed(...chunks);
      expect(pieces.join('')).toBe(Buffer.from(chunks.flat()).toString('utf8'));
      expect(pieces.some((piece) => /\p{Surrogate}/u.test(piece))).toBe(false);
    }),
    { numRuns: 3000 },
  );
});
