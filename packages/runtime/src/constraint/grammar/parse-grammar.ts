import { anyCharacter, type CodeRange, complementOf, unionOf } from './code-ranges.js';
import {
  character,
  choice,
  type Grammar,
  type GrammarNode,
  nothing,
  refused,
  repeat,
  rule,
  sequence,
  text,
} from './grammar.js';
import { TextReader } from './text-reader.js';

/** Groups within groups. */
const deepest = 100;
/** How often something may be repeated, where a number says so. */
export const mostRepeats = 10_000;

/**
 * Reads a grammar as llama.cpp (GBNF) and xgrammar (EBNF) write it:
 *
 *     root ::= greeting " " [a-z]+ ("!" | "?"){1,3}   # a comment
 *     greeting ::= "hello" | "good day"
 *
 * Texts and sets know `\n \r \t \\ \" \] \- \^ \xHH \uHHHH \UHHHHHHHH`; `.` is any character, `[^...]` any other. The
 * answer follows the rule `root`. REQUEST_INVALID, with line and column, for what is none.
 */
export function parseGrammar(source: string, field: string): Grammar {
  return new Parser(source, field).read();
}

class Parser {
  readonly #in: TextReader;
  readonly #rules = new Map<string, GrammarNode>();
  /** Rules that are used, with where. */
  readonly #used = new Map<string, number>();

  constructor(
    source: string,
    private readonly field: string,
  ) {
    this.#in = new TextReader(source, (at, expected, found) => {
      const before = source.slice(0, at).split('\n');
      const place = `line ${before.length}, column ${before.at(-1)!.length + 1}`;
      return refused(this.field, `${expected} at ${place}`, found);
    });
  }

  read(): Grammar {
    this.#skip();
    while (!this.#in.isAtEnd) {
      const at = this.#in.at;
      const name = this.#in.match(namePattern) ?? this.#in.fail('the name of a rule');
      this.#skip();
      this.#in.expect('::=');
      if (this.#rules.has(name)) throw this.#in.failure(at, 'a rule that is not there yet', name);
      this.#rules.set(name, nothing);
      this.#rules.set(name, this.#choice(0));
    }
    for (const [name, at] of this.#used) {
      if (!this.#rules.has(name)) throw this.#in.failure(at, 'a rule that is there', name);
    }
    if (!this.#rules.has('root')) throw refused(this.field, 'a rule named root', 'none');
    return { rules: this.#rules, root: rule('root') };
  }

  #choice(depth: number): GrammarNode {
    const items = [this.#sequence(depth)];
    while (this.#in.take('|')) items.push(this.#sequence(depth));
    return choice(...items);
  }

  #sequence(depth: number): GrammarNode {
    const items: GrammarNode[] = [];
    for (;;) {
      this.#skip();
      const item = this.#item(depth);
      if (item === undefined) return items.length === 0 ? nothing : sequence(...items);
      items.push(this.#repeated(item));
    }
  }

  #item(depth: number): GrammarNode | undefined {
    const { at } = this.#in;
    if (this.#in.take('"')) return this.#text();
    if (this.#in.take('[')) return this.#set();
    if (this.#in.take('.')) return character(anyCharacter);
    if (this.#in.take('(')) {
      if (depth === deepest) throw this.#in.failure(at, `at most ${deepest} groups in each other`, 'more');
      const group = this.#choice(depth + 1);
      this.#in.expect(')');
      return group;
    }
    // A name before `::=` begins the next rule.
    const name = this.#in.match(namePattern);
    if (name === undefined) return undefined;
    const end = this.#in.at;
    this.#skip();
    if (this.#in.startsWith('::=')) {
      this.#in.at = at;
      return undefined;
    }
    this.#in.at = end;
    if (!this.#used.has(name)) this.#used.set(name, at);
    return rule(name);
  }

  #repeated(item: GrammarNode): GrammarNode {
    if (this.#in.take('*')) return this.#repeated(repeat(item, 0));
    if (this.#in.take('+')) return this.#repeated(repeat(item, 1));
    if (this.#in.take('?')) return this.#repeated(repeat(item, 0, 1));
    const { at } = this.#in;
    if (!this.#in.take('{')) return item;
    const counts = /^\s*(\d+)\s*(,?)\s*(\d*)\s*$/.exec(this.#in.until('}'));
    if (!counts) throw this.#in.failure(at, '{count}, {least,} or {least,most}', '{');
    const [, least, comma, most] = counts;
    const min = Number(least);
    const max = comma === '' ? min : most === '' ? Number.POSITIVE_INFINITY : Number(most);
    if (max < min || Math.max(min, Number.isFinite(max) ? max : 0) > mostRepeats) {
      throw this.#in.failure(at, `counts in order, of at most ${mostRepeats}`, counts[0]);
    }
    return this.#repeated(repeat(item, min, max));
  }

  #text(): GrammarNode {
    let value = '';
    while (!this.#in.take('"')) value += String.fromCodePoint(this.#code('"'));
    return text(value);
  }

  #set(): GrammarNode {
    const isNegated = this.#in.take('^');
    const ranges: CodeRange[] = [];
    while (!this.#in.take(']')) {
      const { at } = this.#in;
      const first = this.#code(']');
      // A dash before the end is one.
      const isRange = this.#in.startsWith('-') && !this.#in.startsWith('-]') && this.#in.take('-');
      const last = isRange ? this.#code(']') : first;
      if (last < first) throw this.#in.failure(at, 'a range in order', '');
      ranges.push([first, last]);
    }
    return character(isNegated ? complementOf(unionOf(ranges)) : unionOf(ranges));
  }

  /** One character of a text or set, as it is or escaped. */
  #code(end: string): number {
    const { at } = this.#in;
    const letter = this.#in.next(`${end} at its end`);
    if (letter === '\n') throw this.#in.failure(at, `${end} in the same line`, 'the end of the line');
    if (letter !== '\\') return this.#sound(letter.codePointAt(0)!, at);
    const letterAfter = this.#in.next('an escaped character');
    const length = hexLengths.get(letterAfter);
    if (length !== undefined) {
      const digits = this.#in.match(/[0-9a-fA-F]+/y, length) ?? '';
      if (digits.length < length) throw this.#in.failure(at, `${length} hexadecimal digits`, digits);
      return this.#sound(Number.parseInt(digits, 16), at);
    }
    const meant = escapes.get(letterAfter);
    if (meant === undefined) throw this.#in.failure(at, 'a known escape', `\\${letterAfter}`);
    return meant.codePointAt(0)!;
  }

  #sound(code: number, at: number): number {
    if (code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)) return code;
    throw this.#in.failure(at, 'a character', code.toString(16));
  }

  /** Blanks, lines and comments. */
  #skip(): void {
    this.#in.match(/(?:\s|#[^\n]*)+/y);
  }
}

const namePattern = /[A-Za-z_][\w-]*/y;

const hexLengths: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
]);

const escapes: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ...[...'\\"\'[]-^/.'].map((letter): [string, string] => [letter, letter]),
]);
