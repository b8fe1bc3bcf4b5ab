import { expect, test } from 'vitest';
import { byteCharacters, byteOfCharacter } from './byte-alphabet.js';

test('printable Latin-1 stands for itself, everything else for a character from U+0100 on', () => {
  expect(byteCharacters[0x21]).toBe('!');
  expect(byteCharacters[0xe9]).toBe('é');
  expect(byteCharacters[0x00]).toBe('\u0100');
  expect(byteCharacters[0x0a]).toBe('Ċ');
  expect(byteCharacters[0x20]).toBe('Ġ');
  expect(byteCharacters[0x7f]).toBe('\u0121');
  expect(byteCharacters[0xa0]).toBe('\u0142');
  expect(byteCharacters[0xad]).toBe('\u0143');
});

test('each byte has a character of its own', () => {
  expect(new Set(byteCharacters).size).toBe(256);
  expect(byteCharacters.map(byteOfCharacter)).toEqual(Array.from({ length: 256 }, (_, byte) => byte));
  expect(byteOfCharacter(' ')).toBeUndefined();
});
