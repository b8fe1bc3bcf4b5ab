import fc from 'fast-check';
import { expect, test } from 'vitest';
import { control, userDefined } from '../../../../tests/support/hand-made-vocabulary.js';
import { type Span, SpecialSplitter } from './special-splitter.js';

interface Candidate {
  readonly text: string;
  readonly type: number;
}

function splitterOf(candidates: readonly Candidate[], stripsAfter: readonly number[] = []) {
  return new SpecialSplitter({
    tokens: candidates.map(({ text }) => text),
    types: Uint8Array.from(candidates, ({ type }) => type),
    broken: new Map(),
    stripsAfter: new Set(stripsAfter),
  });
}

/** Fragments as text, special tokens as their id. */
function shown(splitter: SpecialSplitter, text: string, trusted: readonly Span[]): (string | number)[] {
  return splitter.split(text, trusted).map(({ start, end, token }) => token ?? text.slice(start, end));
}

const all = (text: string): readonly Span[] => [{ start: 0, end: text.length }];

test('control tokens are found in trusted text only, user-defined ones everywhere', () => {
  const splitter = splitterOf([
    { text: '<end>', type: control },
    { text: '<tool>', type: userDefined },
  ]);
  const text = 'a<end>b<tool>c<end>';
  expect(shown(splitter, text, all(text))).toEqual(['a', 0, 'b', 1, 'c', 0]);
  expect(shown(splitter, text, [])).toEqual(['a<end>b', 1, 'c<end>']);
  expect(shown(splitter, text, [{ start: 14, end: 19 }])).toEqual(['a<end>b', 1, 'c', 0]);
});

test('a control token that begins in trusted text and ends in untrusted text stays text', () => {
  const splitter = splitterOf([{ text: '<end>', type: control }]);
  expect(shown(splitter, '<end><end>', [{ start: 0, end: 9 }])).toEqual([0, '<end>']);
  expect(shown(splitter, '<end><end>', [{ start: 1, end: 10 }])).toEqual(['<end>', 0]);
});

test('the longest token goes first, even where a shorter one begins before it', () => {
  const splitter = splitterOf([
    { text: 'ab', type: control },
    { text: 'bcd', type: control },
  ]);
  expect(shown(splitter, 'abcdab', all('abcdab'))).toEqual(['a', 1, 0]);
});

test('a token that strips takes the white space after it away', () => {
  const splitter = splitterOf([{ text: '<end>', type: control }], [0]);
  expect(shown(splitter, ' <end> \n x <end> ', all(' <end> \n x <end> '))).toEqual([' ', 0, 'x ', 0]);
});

test('normal, unused and empty tokens are not searched for, of equal texts the last counts', () => {
  const splitter = splitterOf([
    { text: 'n', type: 1 },
    { text: 'u', type: 5 },
    { text: '', type: control },
    { text: 'k', type: control },
    { text: 'k', type: control },
    { text: '?', type: 2 },
  ]);
  expect(shown(splitter, 'nuk?', all('nuk?'))).toEqual(['nu', 4, 5]);
  expect(shown(splitter, '', [])).toEqual([]);
});

test('special tokens beyond what a model has are refused', () => {
  expect(() => splitterOf([{ text: 'x'.repeat(2 ** 20 + 1), type: control }])).toThrow('MODEL_UNSUPPORTED');
});

/** The definition: each candidate, longest first, splits all text that remains at each of its occurrences. */
function splitByDefinition(candidates: readonly Candidate[], text: string, trusted: boolean[]) {
  let parts: { start: number; text: string; token?: number }[] = text === '' ? [] : [{ start: 0, text }];
  const order = [...candidates.keys()].sort(
    (a, b) => candidates[b]!.text.length - candidates[a]!.text.length,
  );
  for (const token of order) {
    const { text: pattern, type } = candidates[token]!;
    parts = parts.flatMap((part) => {
      if (part.token !== undefined) return [part];
      const made: typeof parts = [];
      let rest = part.text;
      let start = part.start;
      for (let at = 0; at + pattern.length <= rest.length; ) {
        const trustedHere = trusted.slice(start + at, start + at + pattern.length).every((mark) => mark);
        if (!rest.startsWith(pattern, at) || (type === control && !trustedHere)) {
          at++;
          continue;
        }
        if (at > 0) made.push({ start, text: rest.slice(0, at) });
        made.push({ start: start + at, text: pattern, token });
        rest = rest.slice(at + pattern.length);
        start += at + pattern.length;
        at = 0;
      }
      if (rest !== '') made.push({ start, text: rest });
      return made;
    });
  }
  return parts.map((part) => part.token ?? part.text);
}

test('any text is split as the definition says', () => {
  const word = (maxLength: number) =>
    fc.string({ unit: fc.constantFrom('a', 'b', '<'), minLength: 1, maxLength });
  const candidates = fc.uniqueArray(
    fc.record({ text: word(4), type: fc.constantFrom(control, userDefined) }),
    { selector: ({ text }) => text, maxLength: 6 },
  );
  const parts = fc.array(fc.record({ text: word(8), trusted: fc.boolean() }), { maxLength: 6 });
  fc.assert(
    fc.property(candidates, parts, (some, given) => {
      const text = given.map((part) => part.text).join('');
      const trusted = given.flatMap((part) => Array.from(part.text, () => part.trusted));
      const spans: { start: number; end: number }[] = [];
      for (const [at, mark] of trusted.entries()) {
        const last = spans.at(-1);
        if (mark && last?.end === at) last.end = at + 1;
        else if (mark) spans.push({ start: at, end: at + 1 });
      }
      expect(shown(splitterOf(some), text, spans)).toEqual(splitByDefinition(some, text, trusted));
    }),
    { numRuns: 3000 },
  );
});
