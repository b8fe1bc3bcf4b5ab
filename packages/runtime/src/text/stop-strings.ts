import { requestInvalid } from '../request-invalid.js';

const mostStops = 16;

/** What a piece of text releases. */
export interface StopResult {
  /** Text that no stop string can claim any more, in order. */
  readonly text: string;
  readonly stopped: boolean;
  /** The stop string that was found, once one was. */
  readonly stop?: string;
}

/**
 * Ends a stream of text at the first stop string, which is cut off with all that follows.
 *
 * The first is the one that is complete first; of several that end at the same place, the longest. So the
 * result does not depend on how the text is cut into pieces, and nothing has to be generated past a complete
 * stop string. Text is held back exactly as long as it is the beginning of a stop string.
 *
 * Each stop string is matched by the Knuth-Morris-Pratt automaton: time is linear in the length of the text.
 */
export class StopStrings {
  readonly #automata: readonly Automaton[];
  #stop: string | undefined;

  /** @throws PocketError REQUEST_INVALID for more than 16 stop strings, and for one that is empty or half a character. */
  constructor(stops: readonly string[]) {
    if (!Array.isArray(stops) || stops.length > mostStops) {
      const found = Array.isArray(stops) ? String(stops.length) : typeof stops;
      throw requestInvalid('stop', `a list of at most ${mostStops} strings`, found);
    }
    for (const [index, stop] of stops.entries()) {
      if (typeof stop !== 'string' || stop === '') {
        throw requestInvalid(
          `stop[${index}]`,
          'a string that is not empty',
          stop === '' ? '""' : typeof stop,
        );
      }
      // Cutting at it would leave the other half.
      if (/\p{Surrogate}/u.test(stop))
        throw requestInvalid(`stop[${index}]`, 'whole characters', 'a lone surrogate');
    }
    this.#automata = stops.map((stop) => new Automaton(stop));
  }

  /** Takes the next piece. After a stop string was found, nothing is released any more. */
  push(text: string): StopResult {
    if (this.#stop !== undefined) return { text: '', stopped: true, stop: this.#stop };
    const held = this.#held();
    for (let index = 0; index < text.length; index++) {
      const stop = this.#advance(text.charCodeAt(index));
      if (stop === undefined) continue;
      this.#stop = stop;
      return { text: dropLast(held, text.slice(0, index + 1), stop.length), stopped: true, stop };
    }
    return { text: dropLast(held, text, this.#held().length), stopped: false };
  }

  /** Ends the stream: gives back what was held, which turned out to be no stop string. */
  flush(): string {
    if (this.#stop !== undefined) return '';
    const held = this.#held();
    for (const automaton of this.#automata) automaton.matched = 0;
    return held;
  }

  /** Text not released yet: the longest beginning of a stop string that the text so far ends in. */
  #held(): string {
    let longest = '';
    for (const { stop, matched } of this.#automata) {
      if (matched > longest.length) longest = stop.slice(0, matched);
    }
    return longest;
  }

  /** The longest stop string that this code unit completes. */
  #advance(unit: number): string | undefined {
    let longest: string | undefined;
    for (const automaton of this.#automata) {
      const complete = automaton.advance(unit);
      if (complete && automaton.stop.length > (longest?.length ?? 0)) longest = automaton.stop;
    }
    return longest;
  }
}

class Automaton {
  /** Code units at the start of `stop` that the text so far ends in. */
  matched = 0;
  /** By count of matched units: the longest shorter match to fall back to. */
  readonly #fallback: Int32Array;

  constructor(readonly stop: string) {
    this.#fallback = new Int32Array(stop.length + 1);
    for (let end = 1; end < stop.length; end++) {
      this.advance(stop.charCodeAt(end));
      this.#fallback[end + 1] = this.matched;
    }
    this.matched = 0;
  }

  /** Takes one code unit; true when it completes the stop string. */
  advance(unit: number): boolean {
    while (this.matched > 0 && this.stop.charCodeAt(this.matched) !== unit) {
      this.matched = this.#fallback[this.matched]!;
    }
    if (this.stop.charCodeAt(this.matched) === unit) this.matched++;
    return this.matched === this.stop.length;
  }
}

/** `first + second` without its last `count` code units. */
function dropLast(first: string, second: string, count: number): string {
  if (count < second.length) return first + second.slice(0, second.length - count);
  return first.slice(0, first.length + second.length - count);
}
