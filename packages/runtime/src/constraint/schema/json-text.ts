import { anyCharacter, type CodeRange, intersectionOf, unionOf, without } from '../grammar/code-ranges.js';
import {
  character,
  choice,
  type GrammarNode,
  nothing,
  optional,
  refused,
  sequence,
  text,
} from '../grammar/grammar.js';
import type { Rules } from '../grammar/rules.js';

// JSON as answers are held to it: on one line, with at most one blank after a comma and a colon.

const quote = 0x22;
const backslash = 0x5c;
const special: readonly CodeRange[] = [
  [0, 0x1f],
  [quote, quote],
  [backslash, backslash],
];

/** Characters that stand for themselves in a string. */
export const plain = without(anyCharacter, special);

const blank = optional(text(' '));
export const comma = sequence(text(','), blank);
export const colon = sequence(text(':'), blank);

/** The JSON of a value, in one spelling. */
export const valueText = (value: unknown): GrammarNode => text(JSON.stringify(value));

const hexDigit = character([
  [0x30, 0x39],
  [0x41, 0x46],
  [0x61, 0x66],
]);
const set = (letters: string) =>
  character(unionOf([...letters].map((letter) => [letter.charCodeAt(0), letter.charCodeAt(0)])));

/** All escapes of one character; halves of a pair of surrogates are none. */
const anyEscape = sequence(
  text('\\'),
  choice(
    set('"\\/bfnrt'),
    sequence(
      text('u'),
      choice(sequence(set('0123456789abcefABCEF'), hexDigit), sequence(set('dD'), set('01234567'))),
      hexDigit,
      hexDigit,
    ),
  ),
);

/**
 * A string of at least `least` and at most `most` characters (which may be Infinity), with its quotes. The closing
 * one is part of each rule, as masks are fast then; strings of different lengths share the rules of their ends.
 */
export function stringText(rules: Rules, least = 0, most = Number.POSITIVE_INFINITY): GrammarNode {
  return sequence(text('"'), restOfString(rules, least, most));
}

export function restOfString(rules: Rules, least = 0, most = Number.POSITIVE_INFINITY): GrammarNode {
  if (most < least) return choice();
  return rules.get(`string ${least} ${most}`, () => {
    const ways: GrammarNode[] = [];
    if (least === 0) ways.push(text('"'));
    if (most > 0) {
      const rest = restOfString(rules, Math.max(least - 1, 0), most - 1);
      ways.push(
        sequence(character(plain), rest),
        sequence(
          rules.get('any escape', () => anyEscape),
          rest,
        ),
      );
    }
    return choice(...ways);
  });
}

/** Characters of names that a further one must not be. */
const mostOfNames = 4000;

/**
 * A string that is none of `names`, with its quotes: what objects may call further properties. `path`: of the object.
 * REQUEST_INVALID for names that are too long together.
 */
export function otherString(rules: Rules, names: readonly string[], path: string): GrammarNode {
  const length = names.reduce((sum, name) => sum + name.length, 0);
  if (length > mostOfNames) {
    const expected = `names of at most ${mostOfNames} characters together`;
    throw refused(`${path}.additionalProperties`, expected, String(length));
  }
  return sequence(text('"'), otherThan(rules, names, '', path));
}

/** The rest of such a string after `beginning`, which is that of all names. */
function otherThan(rules: Rules, names: readonly string[], beginning: string, path: string): GrammarNode {
  return rules.get(`other name in ${path} from ${beginning}`, () => {
    const byNext = new Map<number, string[]>();
    for (const name of names) {
      const next = name.codePointAt(beginning.length);
      if (next !== undefined) byNext.set(next, [...(byNext.get(next) ?? []), name]);
    }
    const taken = [...byNext.keys()].map((code): CodeRange => [code, code]);
    // No escapes: they could spell one of the names.
    const ways = [sequence(character(without(plain, taken)), restOfString(rules))];
    for (const [code, longer] of byNext) {
      const letter = String.fromCodePoint(code);
      if (intersectionOf(plain, [[code, code]]).length === 0) continue;
      ways.push(sequence(text(letter), otherThan(rules, longer, beginning + letter, path)));
    }
    if (!names.includes(beginning)) ways.push(text('"'));
    return choice(...ways);
  });
}

const codes = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, place) => [first + place] as const);

/** Puts what stands for characters as it is written within a string: those that need it by one escape each. */
export function escaped(node: GrammarNode): GrammarNode {
  switch (node.kind) {
    case 'text':
      return text(JSON.stringify(node.text).slice(1, -1));
    case 'character': {
      const ways: GrammarNode[] = [];
      const raw = intersectionOf(node.ranges, plain);
      if (raw.length > 0) ways.push(character(raw));
      for (const [first, last] of intersectionOf(node.ranges, special)) {
        for (const [code] of codes(first, last)) {
          ways.push(text(JSON.stringify(String.fromCharCode(code)).slice(1, -1)));
        }
      }
      return choice(...ways);
    }
    case 'sequence':
      return sequence(...node.items.map(escaped));
    case 'choice':
      return choice(...node.items.map(escaped));
    case 'repeat':
      return { ...node, item: escaped(node.item) };
    case 'rule':
      return node;
  }
}

/** Items with commas between them; `least` and `most` count them. */
export function listOf(item: GrammarNode, least: number, most: number): GrammarNode {
  if (most < least) return choice();
  if (most === 0) return nothing;
  const more: GrammarNode = {
    kind: 'repeat',
    item: sequence(comma, item),
    min: Math.max(least - 1, 0),
    max: most - 1,
  };
  const some = sequence(item, more);
  return least === 0 ? optional(some) : some;
}
