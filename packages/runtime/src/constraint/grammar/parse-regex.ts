import { anyCharacter, type CodeRange, complementOf, unionOf } from './code-ranges.js';
import { character, choice, type GrammarNode, nothing, refused, repeat, sequence } from './grammar.js';
import { mostRepeats } from './parse-grammar.js';
import { digit, lineBreak, space, wordCharacter } from './regex-classes.js';
import { TextReader } from './text-reader.js';

const deepest = 100;

/** One way that a whole regular expression can match. */
export interface RegexWay {
  readonly node: GrammarNode;
  /** Whether `^` and `$` hold it to the beginning and the end. */
  readonly fromStart: boolean;
  readonly toEnd: boolean;
}

/**
 * Reads a regular expression of ECMAScript with the flag `u`, as JSON schema has them. REQUEST_INVALID for what is
 * none, and for what looks around or back: assertions but `^` at the beginning and `$` at the end, references to
 * groups, and properties of Unicode.
 */
export function parseRegex(source: string, field: string): readonly RegexWay[] {
  try {
    new RegExp(source, 'u');
  } catch (error) {
    throw refused(field, 'a regular expression', (error as Error).message);
  }
  return new Parser(source, field).read();
}

class Parser {
  readonly #in: TextReader;

  constructor(source: string, field: string) {
    this.#in = new TextReader(source, (at, expected, found) =>
      refused(field, `${expected} at offset ${at}`, found),
    );
  }

  read(): readonly RegexWay[] {
    const ways: RegexWay[] = [];
    do {
      const fromStart = this.#in.take('^');
      const node = this.#sequence(0);
      ways.push({ node, fromStart, toEnd: this.#in.take('$') });
    } while (this.#in.take('|'));
    if (!this.#in.isAtEnd) this.#refuse('$ at the end alone');
    return ways;
  }

  #choice(depth: number): GrammarNode {
    const items = [this.#sequence(depth)];
    while (this.#in.take('|')) items.push(this.#sequence(depth));
    return choice(...items);
  }

  #sequence(depth: number): GrammarNode {
    const items: GrammarNode[] = [];
    while (!this.#in.isAtEnd && !/[|)$]/.test(this.#in.source[this.#in.at]!)) {
      items.push(this.#repeated(this.#item(depth)));
    }
    return items.length === 0 ? nothing : sequence(...items);
  }

  #item(depth: number): GrammarNode {
    if (this.#in.take('(')) return this.#group(depth);
    if (this.#in.take('[')) return character(this.#set());
    if (this.#in.take('.')) return character(complementOf(lineBreak));
    if (this.#in.take('\\')) return character(this.#escape());
    if (this.#in.startsWith('^')) return this.#refuse('^ at the beginning alone');
    return one(this.#in.next('a character').codePointAt(0)!);
  }

  #group(depth: number): GrammarNode {
    if (depth === deepest) this.#refuse(`at most ${deepest} groups in each other`);
    if (this.#in.take('?')) {
      const isPlain = this.#in.take(':') || this.#in.match(/<[^=!>][^>]*>/y) !== undefined;
      if (!isPlain) this.#refuse('a group that does not look around');
    }
    const group = this.#choice(depth + 1);
    if (this.#in.startsWith('$')) this.#refuse('$ at the end alone');
    this.#in.expect(')');
    return group;
  }

  #repeated(item: GrammarNode): GrammarNode {
    const counts = this.#in.match(/[*+?]|\{\d+(?:,\d*)?\}/y);
    if (counts === undefined) return item;
    // Lazy or not: the texts are the same.
    this.#in.take('?');
    const [least, most] =
      counts === '*' ? [0, ''] : counts === '+' ? [1, ''] : counts === '?' ? [0, 1] : bounds(counts);
    const max = most === '' ? Number.POSITIVE_INFINITY : Number(most);
    if (Math.max(Number(least), Number.isFinite(max) ? max : 0) > mostRepeats) {
      this.#refuse(`counts of at most ${mostRepeats}`);
    }
    return repeat(item, Number(least), max);
  }

  #set(): readonly CodeRange[] {
    const isNegated = this.#in.take('^');
    const ranges: CodeRange[] = [];
    while (!this.#in.take(']')) {
      const first = this.#member();
      const isRange = this.#in.startsWith('-') && !this.#in.startsWith('-]');
      if (!isRange) ranges.push(...first);
      else {
        this.#in.take('-');
        // Both are single characters: anything else is an error of syntax.
        ranges.push([first[0]![0], this.#member()[0]![1]]);
      }
    }
    return isNegated ? complementOf(unionOf(ranges)) : unionOf(ranges);
  }

  #member(): readonly CodeRange[] {
    if (this.#in.take('\\')) return this.#in.take('b') ? [[8, 8]] : this.#escape();
    const code = this.#in.next('a character').codePointAt(0)!;
    return [[code, code]];
  }

  #escape(): readonly CodeRange[] {
    const named = this.#in.match(/[dDwWsS]/y);
    if (named !== undefined) return classes[named as keyof typeof classes];
    const control = this.#in.match(/c[A-Za-z]/y);
    if (control !== undefined) return single(control.charCodeAt(1) % 32);
    const hex = this.#in.match(
      /x[0-9a-fA-F]{2}|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|u\{[0-9a-fA-F]+\}/y,
    );
    if (hex !== undefined) return unionOf(single(hexCode(hex)));
    const letter = this.#in.match(/[fnrtv0^$\\.*+?()[\]{}|/-]/y);
    if (letter === undefined) return this.#refuse('no assertion, reference or property');
    return single((escapes.get(letter) ?? letter).charCodeAt(0));
  }

  #refuse(expected: string): never {
    return this.#in.fail(expected);
  }
}

const one = (code: number) => character(unionOf([[code, code]]));
const single = (code: number): readonly CodeRange[] => [[code, code]];

const bounds = (counts: string): [string, string] => {
  const [least = '', most = least] = counts.slice(1, -1).split(',');
  return [least, most];
};

/** Of `x41`, `u0041`, `u{41}`, or a pair of surrogates. */
function hexCode(hex: string): number {
  const codes = hex.split('\\').map((part) => Number.parseInt(part.replace(/[xu{}]/g, ''), 16));
  const [high = 0, low] = codes;
  return low === undefined ? high : (high - 0xd800) * 0x400 + (low - 0xdc00) + 0x10000;
}

const classes = {
  d: digit,
  D: complementOf(digit),
  w: wordCharacter,
  W: complementOf(wordCharacter),
  s: space,
  S: complementOf(space),
} as const;

const escapes: ReadonlyMap<string, string> = new Map([
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
  ['0', '\0'],
]);

/** All texts that a regular expression matches as a whole. */
export function wholeRegex(source: string, field: string): GrammarNode {
  return choice(...parseRegex(source, field).map(({ node }) => node));
}

/** All texts in which a regular expression matches somewhere. */
export function regexSomewhere(ways: readonly RegexWay[]): GrammarNode {
  const any = repeat(character(anyCharacter), 0);
  return choice(
    ...ways.map(({ node, fromStart, toEnd }) =>
      sequence(...(fromStart ? [] : [any]), node, ...(toEnd ? [] : [any])),
    ),
  );
}
