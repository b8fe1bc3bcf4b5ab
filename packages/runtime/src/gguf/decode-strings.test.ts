import { expect, it } from 'vitest';
import { decodeStrings } from './decode-strings.js';

function run(...pieces: (string | number[])[]): Uint8Array {
  return Uint8Array.from(
    pieces.flatMap((piece) => {
      const bytes = typeof piece === 'string' ? [...new TextEncoder().encode(piece)] : piece;
      return [...new Uint8Array(BigUint64Array.of(BigInt(bytes.length)).buffer), ...bytes];
    }),
  );
}

it('strings of every UTF-8 length are cut where they end', () => {
  const texts = ['a', '', 'é', '▁the', '😀😀', '\ufeff', '\0', '\ufffd', 'z'];
  expect(decodeStrings(run(...texts), texts.length)).toEqual({ values: texts, raw: new Map() });
});

it('a character divided over two strings is in neither', () => {
  const { values, raw } = decodeStrings(run('a', [0xc3], [0xa9], 'é'), 4);
  expect(values).toEqual(['a', '\ufffd', '\ufffd', 'é']);
  expect([...raw]).toEqual([
    [1, Uint8Array.of(0xc3)],
    [2, Uint8Array.of(0xa9)],
  ]);
});

it('one unsound string does not change the others', () => {
  const { values, raw } = decodeStrings(run('😀', [0xff, 0xfe], '\ufffd', [0xed, 0xa0, 0x80]), 4);
  expect([values[0], values[2]]).toEqual(['😀', '\ufffd']);
  expect([...raw.keys()]).toEqual([1, 3]);
});
