import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StopStrings } from './stop-strings.js';

interface Whole {
  text: string;
  stop: string | undefined;
}

/** All text that a stream of pieces releases. */
function streamed(stops: readonly string[], pieces: readonly string[]): Whole {
  const stream = new StopStrings(stops);
  let text = '';
  let stop: string | undefined;
  for (const piece of pieces) {
    const result = stream.push(piece);
    text += result.text;
    stop = result.stop;
  }
  return { text: text + stream.flush(), stop };
}

/** The same by searching the whole text: the match that ends first, the longest of those that end there. */
function searched(stops: readonly string[], text: string): Whole {
  for (let end = 1; end <= text.length; end++) {
    const ending = stops.filter((stop) => text.slice(0, end).endsWith(stop));
    const stop = ending.sort((a, b) => b.length - a.length)[0];
    if (stop !== undefined) return { text: text.slice(0, end - stop.length), stop };
  }
  return { text, stop: undefined };
}

describe('StopStrings', () => {
  it('holds back what could begin a stop string, and no more', () => {
    const stream = new StopStrings(['\nUser:', 'END']);
    expect(stream.push('Hello\n')).toEqual({ text: 'Hello', stopped: false });
    expect(stream.push('Us')).toEqual({ text: '', stopped: false });
    expect(stream.push('age: E')).toEqual({ text: '\nUsage: ', stopped: false });
    expect(stream.push('N')).toEqual({ text: '', stopped: false });
    expect(stream.push('D of it')).toEqual({ text: '', stopped: true, stop: 'END' });
  });

  it('drops all text after a stop string', () => {
    const stream = new StopStrings(['.']);
    expect(stream.push('One. Two.')).toEqual({ text: 'One', stopped: true, stop: '.' });
    expect(stream.push(' Three')).toEqual({ text: '', stopped: true, stop: '.' });
    expect(stream.flush()).toBe('');
  });

  it('gives back at the end what it held', () => {
    const stream = new StopStrings(['stop']);
    expect(stream.push('sto').text).toBe('');
    expect(stream.flush()).toBe('sto');
    expect(stream.push('p')).toEqual({ text: 'p', stopped: false });
  });

  it('falls back to a shorter beginning where a longer one fails', () => {
    expect(streamed(['aab'], ['a', 'a', 'a', 'a', 'b', 'c'])).toEqual({ text: 'aa', stop: 'aab' });
    expect(streamed(['abcabd'], ['abcabcabd'])).toEqual({ text: 'abc', stop: 'abcabd' });
  });

  it('stops at what is complete first, even inside another that has begun', () => {
    expect(streamed(['abcd', 'bc'], ['xabcd'])).toEqual({ text: 'xa', stop: 'bc' });
  });

  it('takes the longest of those that end at one place', () => {
    expect(streamed(['b', 'ab'], ['xab'])).toEqual({ text: 'x', stop: 'ab' });
  });

  it('passes everything on where there are no stop strings', () => {
    expect(new StopStrings([]).push('text')).toEqual({ text: 'text', stopped: false });
  });

  it('releases whole characters beyond 16 bits', () => {
    const stream = new StopStrings(['😀!']);
    expect(stream.push('😁').text).toBe('😁');
    expect(stream.push('😀').text).toBe('');
    expect(stream.push('?').text).toBe('😀?');
  });

  it('gives the same for any cutting of any text', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 6 });
    const pieces = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c', '😀'), maxLength: 5 }));
    fc.assert(
      fc.property(fc.array(word, { maxLength: 16 }), pieces, (stops, list) => {
        expect(streamed(stops, list)).toEqual(searched(stops, list.join('')));
      }),
      { numRuns: 1000 },
    );
  });

  it('never holds more than a beginning of a stop string', () => {
    const stops = ['aaab', 'ba', 'cc'];
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', 'c')), (units) => {
        const stream = new StopStrings(stops);
        let pushed = '';
        let released = '';
        for (const unit of units) {
          const { text, stopped } = stream.push(unit);
          if (stopped) return;
          pushed += unit;
          released += text;
          const held = pushed.slice(released.length);
          expect(pushed).toBe(released + held);
          expect(held === '' || stops.some((stop) => stop.startsWith(held))).toBe(true);
        }
      }),
    );
  });

  it('takes time in proportion to the text, however much is held', () => {
    const stop = `${'a'.repeat(100_000)}b`;
    const stream = new StopStrings([stop]);
    let released = 0;
    const start = performance.now();
    for (let count = 0; count < 300_000; count++) released += stream.push('a').text.length;
    expect(released).toBe(200_000);
    // Copying the held text each time would take 200,000 times 100,000 units: minutes.
    expect(performance.now() - start).toBeLessThan(5000);
    expect(stream.push('b').stop).toBe(stop);
  });

  it.each([
    [new Array<string>(17).fill('x'), 'stop', '17'],
    [['a', ''], 'stop[1]', '""'],
    [['a', 5], 'stop[1]', 'number'],
    ['stop', 'stop', 'string'],
    [['\ude00'], 'stop[0]', 'a lone surrogate'],
  ])('refuses %j', (stops, field, found) => {
    expect(() => new StopStrings(stops as string[])).toThrow(
      expect.objectContaining({
        code: 'REQUEST_INVALID',
        details: expect.objectContaining({ field, found }),
      }),
    );
  });

  it('takes 16', () => {
    expect(new StopStrings(new Array<string>(16).fill('x')).push('ax').text).toBe('a');
  });
});
