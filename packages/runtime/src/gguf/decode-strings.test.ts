import { expect, it } from 'vitest';
import { decodeStrings, mostRawStrings } from './decode-strings.js';

function run(...pieces: (string | number[])[]): Uint8Array {
  return Uint8Array.from(
    pieces.flatMap((piece) => {
      const bytes = typeof piece === 'string' ? [...new TextEncoder().encode(piece)] : piece;
      return [...new Uint8Array(BigUint64Array.of(BigInt(bytes.length)).buffer), ...bytes];
    }),
  );
}

const decode = (bytes: Uint8Array, count: number) => decodeStrings(bytes, count)!;

it('strings of every UTF-8 length are cut where they end', () => {
  const texts = ['a', '', 'é', '▁the', '😀😀', '\ufeff', '\0', '\ufffd', 'z'];
  expect(decode(run(...texts), texts.length)).toEqual({ values: texts, raw: new Map() });
});

it('a character divided over two strings is in neither', () => {
  const { values, raw } = decode(run('a', [0xc3], [0xa9], 'é'), 4);
  expect(values).toEqual(['a', '\ufffd', '\ufffd', 'é']);
  expect([...raw]).toEqual([
    [1, Uint8Array.of(0xc3)],
    [2, Uint8Array.of(0xa9)],
  ]);
});

it('one unsound string does not change the others', () => {
  const { values, raw } = decode(run('😀', [0xff, 0xfe], '\ufffd', [0xed, 0xa0, 0x80]), 4);
  expect([values[0], values[2]]).toEqual(['😀', '\ufffd']);
  expect([...raw.keys()]).toEqual([1, 3]);
});

it('an array full of bytes that are not UTF-8 is given up', () => {
  const count = mostRawStrings + 1;
  const bytes = new Uint8Array(9 * count);
  for (let i = 0; i < count; i++) bytes.set([1, 0, 0, 0, 0, 0, 0, 0, 0xff], 9 * i);
  expect(decodeStrings(bytes, count)).toBeUndefined();
  expect(decode(bytes.subarray(9), count - 1).raw.size).toBe(mostRawStrings);
});
