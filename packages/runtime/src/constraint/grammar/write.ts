import { type ByteRange, utf8Ways } from './code-ranges.js';
import { type Grammar, type GrammarNode, sequence } from './grammar.js';

/**
 * The text of a grammar as xgrammar reads it. What this avoids, because xgrammar 0.1.27 is wrong about it (a test
 * holds it to each):
 *
 * - Sets of characters beyond ASCII: each is written as sets of bytes.
 * - A set of one byte beyond ASCII, or of byte 0 alone: it would become a text, and its UTF-8. Byte 0xff stands
 *   beside it, which no token has (token-table.ts).
 * - A root rule that leads to itself: masks would lack tokens that go on past its end. The root is a rule of its own.
 * - A loop with something after it, whose masks are slow where the loop is wider than one byte: it is written as a
 *   rule that either goes on with what follows or begins again.
 */
export function writeGrammar({ rules, root }: Grammar): string {
  return new Writer(rules).write(root);
}

class Writer {
  readonly #names: ReadonlyMap<string, string>;
  readonly #lines: string[] = [];
  #loops = 0;

  constructor(private readonly rules: Grammar['rules']) {
    this.#names = new Map([...rules.keys()].map((name, place) => [name, `r${place}`]));
  }

  write(root: GrammarNode): string {
    this.#lines.push('root ::= top', `top ::= ${this.#node(root)}`);
    for (const [name, node] of this.rules)
      this.#lines.push(`${this.#names.get(name)} ::= ${this.#node(node)}`);
    return `${this.#lines.join('\n')}\n`;
  }

  #node(node: GrammarNode): string {
    switch (node.kind) {
      case 'text':
        return quoted(node.text);
      case 'character':
        return characters(node);
      case 'rule':
        return this.#names.get(node.name)!;
      case 'choice':
        return `(${node.items.map((item) => this.#node(item)).join(' | ')})`;
      case 'repeat':
        return `${this.#group(node.item)}${times(node.min, node.max)}`;
      case 'sequence':
        return this.#sequence(node.items);
    }
  }

  #group(node: GrammarNode): string {
    const written = this.#node(node);
    return node.kind === 'sequence' || node.kind === 'repeat' ? `(${written})` : written;
  }

  #sequence(items: readonly GrammarNode[]): string {
    const loop = items.findIndex((item) => item.kind === 'repeat' && item.max === Number.POSITIVE_INFINITY);
    const node = items[loop];
    if (node?.kind !== 'repeat' || loop === items.length - 1 || isOneByte(node.item)) {
      const written = items.slice(0, loop < 0 ? items.length : loop + 1).map((item) => this.#node(item));
      if (loop >= 0 && loop < items.length - 1) written.push(this.#sequence(items.slice(loop + 1)));
      return written.join(' ') || '""';
    }
    const name = `loop${this.#loops++}`;
    const item = this.#group(node.item);
    this.#lines.push(`${name} ::= ${this.#node(sequence(...items.slice(loop + 1)))} | ${item} ${name}`);
    const before = items.slice(0, loop).map((before) => this.#node(before));
    const least = node.min > 0 ? [`${item}${times(node.min, node.min)}`] : [];
    return [...before, ...least, name].join(' ');
  }
}

function times(min: number, max: number): string {
  if (min === 0 && max === 1) return '?';
  if (max === Number.POSITIVE_INFINITY) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`;
  return `{${min},${max}}`;
}

const isOneByte = (node: GrammarNode) =>
  node.kind === 'character' && node.ranges.every(([, last]) => last < 0x80);

function characters({ ranges }: GrammarNode & { kind: 'character' }): string {
  const ways = utf8Ways(ranges);
  const single = ways.filter((way) => way.length === 1).flat();
  const written = ways
    .filter((way) => way.length > 1)
    .map((way) => way.map((byte) => bytes([byte])).join(' '));
  if (single.length > 0) written.unshift(bytes(single));
  return written.length === 1 && ways.length === single.length ? written[0]! : `(${written.join(' | ')})`;
}

function bytes(ranges: readonly ByteRange[]): string {
  const [first, last] = ranges[0]!;
  const isLone = ranges.length === 1 && first === last && (first === 0 || first > 0x7f);
  const written = ranges.map(([from, to]) => (from === to ? hex(from) : `${hex(from)}-${hex(to)}`));
  return `[${written.join('')}${isLone ? '\\xff' : ''}]`;
}

const hex = (byte: number) => `\\x${byte.toString(16).padStart(2, '0')}`;

/** Byte 0 would end a text. */
function quoted(text: string): string {
  const pieces = text.split('\0').map((piece) => `"${[...piece].map(escaped).join('')}"`);
  return pieces.join(' [\\x00\\xff] ');
}

function escaped(letter: string): string {
  if (letter === '"' || letter === '\\') return `\\${letter}`;
  const code = letter.codePointAt(0)!;
  if (code >= 0x20 && code < 0x7f) return letter;
  return code < 0x80 ? hex(code) : `\\U${code.toString(16).padStart(8, '0')}`;
}
