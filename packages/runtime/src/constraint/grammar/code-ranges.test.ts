import { describe, expect, it } from 'vitest';
import {
  anyCharacter,
  type CodeRange,
  complementOf,
  intersectionOf,
  unionOf,
  utf8Ways,
} from './code-ranges.js';

const encoder = new TextEncoder();

function* characters(step: number) {
  for (let code = 0; code <= 0x10ffff; code += code < 0x900 ? 1 : step) {
    if (code < 0xd800 || code > 0xdfff) yield code;
  }
}

function matches(ranges: readonly CodeRange[], bytes: Uint8Array): boolean {
  return utf8Ways(ranges).some(
    (way) =>
      way.length === bytes.length &&
      way.every(([first, last], place) => bytes[place]! >= first && bytes[place]! <= last),
  );
}

describe('ways of UTF-8', () => {
  it.each<[string, CodeRange[]]>([
    ['all', [...anyCharacter]],
    ['ASCII', [[0x20, 0x7e]]],
    ['across two and three bytes', [[0x7f0, 0x1234]]],
    ['a piece of four bytes', [[0x1f600, 0x1f64f]]],
    [
      'single ones',
      [
        [0x41, 0x41],
        [0xe9, 0xe9],
        [0x20ac, 0x20ac],
      ],
    ],
    ['up to the last', [[0xffff, 0x10ffff]]],
  ])('match exactly the characters of %s', (_, ranges) => {
    for (const code of characters(61)) {
      const isIn = ranges.some(([first, last]) => code >= first && code <= last);
      expect(matches(ranges, encoder.encode(String.fromCodePoint(code)))).toBe(isIn);
    }
  });

  it('are few for all characters', () => {
    expect(utf8Ways(anyCharacter).length).toBeLessThan(12);
  });
});

describe('sets of characters', () => {
  it('lose surrogates and are joined where they touch', () => {
    expect(
      unionOf([
        [5, 9],
        [1, 4],
        [20, 30],
        [25, 26],
      ]),
    ).toEqual([
      [1, 9],
      [20, 30],
    ]);
    expect(unionOf([[0xd000, 0xe000]])).toEqual([
      [0xd000, 0xd7ff],
      [0xe000, 0xe000],
    ]);
  });

  it('have a complement and an intersection', () => {
    const lower: CodeRange[] = [[0x61, 0x7a]];
    expect(complementOf(complementOf(lower))).toEqual(lower);
    expect(intersectionOf(lower, [[0x70, 0x90]])).toEqual([[0x70, 0x7a]]);
  });
});
