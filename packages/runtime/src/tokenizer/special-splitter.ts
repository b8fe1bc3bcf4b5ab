import { unsupported } from '../gguf/refusal.js';
import { OccurrenceFinder } from './occurrence-finder.js';
import { tokenTypes } from './token-type.js';
import type { Vocabulary } from './vocabulary.js';

/** A stretch of text, in UTF-16 units: `start` up to `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Part of a text: a special token, or text between such. */
export interface Fragment extends Span {
  readonly token?: number;
}

interface Special {
  readonly id: number;
  readonly text: string;
  /** A control token, which untrusted text does not become. */
  readonly needsTrust: boolean;
  readonly stripsAfter: boolean;
}

/** Beyond this, in UTF-16 units, special tokens are not those of a real model. */
const mostSpecialText = 2 ** 20;

/**
 * Finds special tokens in text. Control tokens are found in trusted text only, user-defined ones everywhere.
 * Where tokens overlap the longest goes first, as in llama.cpp: its every occurrence, from left to right, then
 * those of the next in what remains.
 */
export class SpecialSplitter {
  readonly #specials: readonly Special[];
  readonly #finder: OccurrenceFinder;

  constructor(vocabulary: Pick<Vocabulary, 'tokens' | 'types' | 'broken' | 'stripsAfter'>) {
    this.#specials = specialsOf(vocabulary);
    this.#finder = new OccurrenceFinder(this.#specials.map(({ text }) => text));
  }

  /** `trusted`: in order, neither touching nor overlapping. So are the fragments. */
  split(text: string, trusted: readonly Span[]): readonly Fragment[] {
    let fragments: readonly Fragment[] = text === '' ? [] : [{ start: 0, end: text.length }];
    for (const which of this.#finder.find(text)) {
      const special = this.#specials[which]!;
      const occurrences = new Occurrences(text, special.text, special.needsTrust ? trusted : undefined);
      if (occurrences.from(0) === none) continue;
      fragments = fragments.flatMap((fragment) =>
        fragment.token === undefined ? cut(text, fragment, special, occurrences) : [fragment],
      );
    }
    return fragments;
  }
}

function specialsOf({
  tokens,
  types,
  broken,
  stripsAfter,
}: Pick<Vocabulary, 'tokens' | 'types' | 'broken' | 'stripsAfter'>): readonly Special[] {
  // Of tokens with one text the last counts.
  const byText = new Map<string, Special>();
  let units = 0;
  for (const [id, text] of tokens.entries()) {
    const type = types[id];
    const needsTrust = type === tokenTypes.control || type === tokenTypes.unknown;
    if ((!needsTrust && type !== tokenTypes.userDefined) || text === '' || broken.has(id)) continue;
    byText.set(text, { id, text, needsTrust, stripsAfter: stripsAfter.has(id) });
    units += text.length;
  }
  if (units > mostSpecialText) {
    throw unsupported('length of all special tokens', `${units} characters`, `up to ${mostSpecialText}`);
  }
  return [...byText.values()].sort((a, b) => b.text.length - a.text.length);
}

const none = Number.POSITIVE_INFINITY;

/** Goes through the occurrences of a pattern that lie within one of the spans, or anywhere. */
class Occurrences {
  #at = -1;
  #span = 0;

  constructor(
    private readonly text: string,
    private readonly pattern: string,
    private readonly spans: readonly Span[] | undefined,
  ) {}

  /** Where the first one at or after `start` is. `start` does not go back from call to call. */
  from(start: number): number {
    if (this.#at < start) this.#at = this.#search(start);
    return this.#at;
  }

  #search(start: number): number {
    let at = this.text.indexOf(this.pattern, start);
    if (!this.spans) return at < 0 ? none : at;
    while (at >= 0) {
      let span = this.spans[this.#span];
      while (span && span.end < at + this.pattern.length) span = this.spans[++this.#span];
      if (!span) break;
      if (span.start <= at) return at;
      at = this.text.indexOf(this.pattern, span.start);
    }
    return none;
  }
}

function cut(text: string, fragment: Span, special: Special, occurrences: Occurrences): Fragment[] {
  const parts: Fragment[] = [];
  let start = fragment.start;
  for (
    let at = occurrences.from(start);
    at + special.text.length <= fragment.end;
    at = occurrences.from(start)
  ) {
    const end = at + special.text.length;
    if (at > start) parts.push({ start, end: at });
    parts.push({ start: at, end, token: special.id });
    start = end;
    if (special.stripsAfter) while (start < fragment.end && isSpace(text.charCodeAt(start))) start++;
  }
  if (start < fragment.end) parts.push({ start, end: fragment.end });
  return parts;
}

/** White space of ASCII: tab to carriage return, and space. */
function isSpace(unit: number): boolean {
  return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d);
}
