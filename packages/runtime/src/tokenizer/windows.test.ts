import fc from 'fast-check';
import { expect, test } from 'vitest';
import { windowsOf } from './windows.js';

const windows = (text: string, largest: number) => [...windowsOf(text, largest)];

test('a text that fits is one window, and an empty one none', () => {
  expect(windows('abcdef', 6)).toEqual(['abcdef']);
  expect(windows('', 6)).toEqual([]);
});

test('a cut falls before a line end, else before a space between letters, else within a word', () => {
  expect(windows('ab cd\ne f g', 8)).toEqual(['ab cd', '\ne f g']);
  expect(windows('ab cd ef gh', 7)).toEqual(['ab cd', ' ef gh']);
  expect(windows('1234567890', 4)).toEqual(['1234', '5678', '90']);
});

test('a cut never falls within a character', () => {
  expect(windows('x😀😀😀', 4)).toEqual(['x😀', '😀😀']);
});

test('windows joined are the text, and none is empty or too long', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('a', 'b', ' ', '\n', '1', '😀', '\ud800', '\udc00')),
      fc.integer({ min: 2, max: 9 }),
      (parts, largest) => {
        const found = windows(parts.join(''), largest);
        expect(found.join('')).toBe(parts.join(''));
        for (const window of found)
          expect(window.length).toSatisfy((length) => length > 0 && length <= largest);
      },
    ),
  );
});
