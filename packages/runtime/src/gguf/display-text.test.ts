import { expect, it } from 'vitest';
import { displayText } from './display-text.js';

it('what steers a terminal or reorders a line is escaped', () => {
  expect(displayText('\u001b[31mred\r\n\u0007\u009b\u202e\u2066\u2028\ufeff\ud800')).toBe(
    '\\u{1b}[31mred\\u{d}\\u{a}\\u{7}\\u{9b}\\u{202e}\\u{2066}\\u{2028}\\u{feff}\\u{d800}',
  );
});

it('other text stays as it is', () => {
  expect(displayText('héllo ▁ 日本 😀 "quoted"')).toBe('héllo ▁ 日本 😀 "quoted"');
});

it('long text is cut and its length told', () => {
  expect(displayText('x'.repeat(1000), 10)).toBe(`${'x'.repeat(10)}… (1000 characters)`);
  expect(displayText('x'.repeat(10), 10)).toBe('x'.repeat(10));
});
