import { type CodeRange, unionOf } from './code-ranges.js';

const codes = (letters: string): CodeRange[] =>
  [...letters].map((letter) => [letter.codePointAt(0)!, letter.codePointAt(0)!]);

/** `\d` of ECMAScript. */
export const digit: readonly CodeRange[] = [[0x30, 0x39]];

/** `\w`. */
export const wordCharacter = unionOf([...digit, [0x41, 0x5a], [0x61, 0x7a], ...codes('_')]);

/** What `.` is not. */
export const lineBreak = unionOf(codes('\n\r\u2028\u2029'));

/** `\s`. */
export const space = unionOf([
  ...codes('\t\n\v\f\r \u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff'),
  [0x2000, 0x200a],
]);
