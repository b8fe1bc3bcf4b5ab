import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Text } from './text.js';

/** The same text as a list of single units with their marks. */
type Units = { unit: string; trusted: boolean }[];

const unitsOf = (text: Text): Units =>
  text.parts().flatMap(({ text: run, trusted }) => run.split('').map((unit) => ({ unit, trusted })));

const pieces = fc.array(fc.tuple(fc.string({ maxLength: 4 }), fc.boolean()), { maxLength: 8 });

const build = (given: [string, boolean][]): Text =>
  Text.concat(given.map(([value, trusted]) => (trusted ? Text.trusted(value) : Text.untrusted(value))));

const expectedUnits = (given: [string, boolean][]): Units =>
  given.flatMap(([value, trusted]) => value.split('').map((unit) => ({ unit, trusted })));

describe('Text', () => {
  it('keeps the mark of every unit through joins', () => {
    fc.assert(
      fc.property(pieces, pieces, (first, second) => {
        const text = Text.concat([build(first), Text.empty, build(second)]);
        expect(unitsOf(text)).toEqual(expectedUnits([...first, ...second]));
        expect(text.value).toBe([...first, ...second].map(([value]) => value).join(''));
      }),
    );
  });

  it('keeps the mark of every unit through slices', () => {
    fc.assert(
      fc.property(pieces, fc.nat(20), fc.nat(20), (given, a, b) => {
        const text = build(given);
        const [start, end] = [Math.min(a, b, text.length), Math.min(Math.max(a, b), text.length)];
        expect(unitsOf(text.slice(start, end))).toEqual(expectedUnits(given).slice(start, end));
      }),
    );
  });

  it('has runs as long as they can be, and none empty', () => {
    fc.assert(
      fc.property(pieces, (given) => {
        const parts = build(given).parts();
        expect(parts.every((part) => part.text !== '')).toBe(true);
        expect(parts.every((part, i) => part.trusted !== parts[i + 1]?.trusted)).toBe(true);
      }),
    );
  });

  it('keeps marks where a change of case changes the length', () => {
    const text = Text.concat([Text.trusted('aß'), Text.untrusted('ßb'), Text.trusted('c')]);
    expect(text.recase((value) => value.toUpperCase()).parts()).toEqual([
      { text: 'ASS', trusted: true },
      { text: 'SSB', trusted: false },
      { text: 'C', trusted: true },
    ]);
  });
});
