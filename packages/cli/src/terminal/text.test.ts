import { describe, expect, it } from 'vitest';
import { jsonText } from './json-text.js';
import { bytesText, countText, rateText, secondsText } from './quantity.js';
import { table, wrapped } from './table.js';
import { visibleText } from './visible-text.js';

describe('visibleText', () => {
  it('shows what would steer a terminal, and leaves lines and letters alone', () => {
    expect(visibleText('a\tb\nc')).toBe('a\tb\nc');
    expect(visibleText('größer 👩‍👧 日本')).toBe('größer 👩‍👧 日本');
    expect(visibleText('\u001b[31m\r\u0007\u009b2J\u202e')).toBe('\\u{1b}[31m\\u{d}\\u{7}\\u{9b}2J\\u{202e}');
  });
});

describe('jsonText', () => {
  it('reads back as what was written, with nothing in it that steers a terminal', () => {
    const value = { text: '\u001b[2J \u009b \u202e \u2028 \u00ad 👩‍👧 é', list: [1, null, true] };
    const text = jsonText(value);
    expect(JSON.parse(text)).toEqual(value);
    expect(text).not.toMatch(/[^\n\P{Cc}]|[\p{Cf}\p{Zl}\p{Zp}]/u);
  });

  it('writes a list of numbers in one line, and no other list', () => {
    expect(jsonText({ ids: [1, -2.5], words: ['[\n1'] })).toBe(
      '{\n  "ids": [ 1, -2.5 ],\n  "words": [\n    "[\\n1"\n  ]\n}',
    );
  });

  it('keeps numbers that JSON has no word for', () => {
    expect(JSON.parse(jsonText({ big: 2n ** 63n, no: Number.NaN, much: -Infinity }))).toEqual({
      big: '9223372036854775808',
      no: 'NaN',
      much: '-Infinity',
    });
  });
});

describe('table', () => {
  it('aligns columns and leaves no blanks at the ends of lines', () => {
    expect(
      table(
        [
          ['a', 'long', ''],
          ['bbb', 'c', 'd'],
        ],
        ' ',
      ),
    ).toBe(' a    long\n bbb  c     d');
  });

  it('of no rows is empty', () => {
    expect(table([])).toBe('');
  });
});

describe('wrapped', () => {
  it('breaks between words and never within one', () => {
    expect(wrapped(['aa', 'bb', 'cc', 'longer-than-it'], 5, '..')).toBe('aa bb\n..cc\n..longer-than-it');
  });
});

describe('quantities', () => {
  it('are told in the unit that suits them', () => {
    expect([0, 1023, 4_601_856, 5 * 2 ** 40].map(bytesText)).toEqual([
      '0 bytes',
      '1023 bytes',
      '4.4 MiB',
      '5.0 TiB',
    ]);
    expect([64, 36_160, 4_200_000, 1.5e9].map(countText)).toEqual([
      '64',
      '36 thousand',
      '4.2 million',
      '1.50 billion',
    ]);
    expect(secondsText(1349)).toBe('1.3 s');
    expect(rateText(10, 400)).toBe('25.0/s');
    expect(rateText(10, 0)).toBe('-');
  });
});
