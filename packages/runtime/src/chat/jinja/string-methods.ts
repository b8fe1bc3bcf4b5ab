import type { Budget } from './budget.js';
import { fail } from './fail.js';
import { concat } from './operators.js';
import { str } from './print.js';
import { lengthOf } from './slices.js';
import type { Text } from './text.js';
import { type Arguments, asText, Callable, itemsOf, List, typeName, type Value } from './values.js';

type Method = (text: Text, args: Arguments, budget: Budget) => Value;

/** The method `name` of a string, or undefined. Reading the string is charged once for each call. */
export function stringMethod(text: Text, name: string, budget: Budget): Callable | undefined {
  const method = methods.get(name);
  if (method === undefined) return undefined;
  return new Callable((args) => {
    budget.text(text.length);
    return method(text, args, budget);
  });
}

const methods: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['upper', (text) => text.recase((value) => value.toUpperCase())],
  ['lower', (text) => text.recase((value) => value.toLowerCase())],
  ['title', (text) => titled(text)],
  ['capitalize', (text) => capitalized(text)],
  ['strip', (text, args, budget) => strip(text, stripSet(args, budget), true, true)],
  ['lstrip', (text, args, budget) => strip(text, stripSet(args, budget), true, false)],
  ['rstrip', (text, args, budget) => strip(text, stripSet(args, budget), false, true)],
  ['startswith', (text, args, budget) => affixes(args, budget).some((affix) => text.value.startsWith(affix))],
  ['endswith', (text, args, budget) => affixes(args, budget).some((affix) => text.value.endsWith(affix))],
  ['removeprefix', (text, args) => withoutAffix(text, textArgument(args, 0, 'prefix'), 'start')],
  ['removesuffix', (text, args) => withoutAffix(text, textArgument(args, 0, 'suffix'), 'end')],
  ['split', (text, args, budget) => split(text, args, budget, 'left')],
  ['rsplit', (text, args, budget) => split(text, args, budget, 'right')],
  ['splitlines', (text, args, budget) => new List(lines(text, args.get(0, 'keepends') === true, budget))],
  ['replace', (text, args, budget) => replace(text, args, budget)],
  ['count', (text, args, budget) => occurrences(text, textArgument(args, 0, 'sub').value, budget).length],
  ['find', (text, args, budget) => find(text, textArgument(args, 0, 'sub').value, budget)],
  ['join', (text, args, budget) => join(itemsOf(args.get(0, 'iterable'), budget), text, budget)],
]);

// Whitespace as Python has it: with U+0085, without the byte order mark.
const SPACE = /[^\S\ufeff]|\x85/;

/** The text without the units of `set` (whitespace when undefined) at its ends. */
function strip(text: Text, set: ReadonlySet<string> | undefined, atStart: boolean, atEnd: boolean): Text {
  const drops = (unit: string): boolean => (set === undefined ? SPACE.test(unit) : set.has(unit));
  let start = 0;
  let end = text.length;
  if (atStart) while (start < end && drops(text.value[start]!)) start++;
  if (atEnd) while (end > start && drops(text.value[end - 1]!)) end--;
  return text.slice(start, end);
}

function titled(text: Text): Text {
  return text.recase((value) =>
    value.replace(/\p{L}+/gu, (word) => word[0]!.toUpperCase() + word.slice(1).toLowerCase()),
  );
}

function capitalized(text: Text): Text {
  return text.recase((value) => value.charAt(0).toUpperCase() + value.slice(1).toLowerCase());
}

export function join(items: readonly Value[], separator: Text, budget: Budget): Text {
  const pieces: Text[] = [];
  for (const item of items) {
    if (pieces.length > 0) pieces.push(separator);
    pieces.push(str(item, budget));
  }
  return concat(pieces, budget);
}

/** `text` with `old` replaced by `new`, at most `count` times; an empty `old` is found between all characters. */
function replace(text: Text, args: Arguments, budget: Budget): Text {
  const old = textArgument(args, 0, 'old').value;
  const replacement = textArgument(args, 1, 'new');
  const count = args.get(2, 'count');
  const found = occurrences(text, old, budget);
  const used = typeof count === 'number' && count >= 0 ? found.slice(0, count) : found;
  const pieces: Text[] = [];
  let rest = 0;
  for (const at of used) {
    pieces.push(text.slice(rest, at), replacement);
    rest = at + old.length;
  }
  pieces.push(text.slice(rest));
  return concat(pieces, budget);
}

/** The lines of a text, without their ends unless `keepEnds`. */
export function lines(text: Text, keepEnds: boolean, budget: Budget): Text[] {
  const found: Text[] = [];
  let start = 0;
  for (const match of text.value.matchAll(/\r\n|[\n\v\f\r\x85\u2028\u2029]/g)) {
    budget.spend(1);
    const end = match.index + match[0].length;
    found.push(text.slice(start, keepEnds ? end : match.index));
    start = end;
  }
  if (start < text.length) found.push(text.slice(start));
  return found;
}

function split(text: Text, args: Arguments, budget: Budget, from: 'left' | 'right'): List {
  const separator = args.get(0, 'sep') ?? undefined;
  const limit = args.get(1, 'maxsplit');
  const most = typeof limit === 'number' && limit >= 0 ? limit : Number.POSITIVE_INFINITY;
  const trimmed = separator === undefined ? strip(text, undefined, true, true) : text;
  if (separator === undefined && trimmed.length === 0) return new List([]);
  const gaps =
    separator === undefined
      ? spaces(trimmed, budget)
      : occurrencesBetween(trimmed, textArgument(args, 0, 'sep').value, budget);
  const used = from === 'left' ? gaps.slice(0, most) : gaps.slice(Math.max(0, gaps.length - most));
  const pieces: Text[] = [];
  let start = 0;
  for (const [at, end] of used) {
    pieces.push(trimmed.slice(start, at));
    start = end;
  }
  pieces.push(trimmed.slice(start));
  return new List(pieces);
}

/** Start and end of each run of whitespace. */
function spaces(text: Text, budget: Budget): [number, number][] {
  const runs = new RegExp(`(?:${SPACE.source})+`, 'g');
  return Array.from(text.value.matchAll(runs), (match) => {
    budget.spend(1);
    return [match.index, match.index + match[0].length];
  });
}

function occurrencesBetween(text: Text, separator: string, budget: Budget): [number, number][] {
  if (separator === '') return fail('split by an empty separator');
  return occurrences(text, separator, budget).map((at) => [at, at + separator.length]);
}

/** Offsets of `part`, left to right and not overlapping. */
function occurrences(text: Text, part: string, budget: Budget): number[] {
  budget.search(text.length, part.length);
  const found: number[] = [];
  for (let at = text.value.indexOf(part); at >= 0; ) {
    budget.spend(1);
    found.push(at);
    const next = at + Math.max(1, part.length);
    if (next > text.length) break;
    at = text.value.indexOf(part, next);
  }
  return found;
}

function find(text: Text, part: string, budget: Budget): number {
  budget.search(text.length, part.length);
  const at = text.value.indexOf(part);
  return at < 0 ? -1 : lengthOf(text.slice(0, at), budget);
}

function withoutAffix(text: Text, affix: Text, side: 'start' | 'end'): Text {
  if (affix.length === 0) return text;
  if (side === 'start') return text.value.startsWith(affix.value) ? text.slice(affix.length) : text;
  return text.value.endsWith(affix.value) ? text.slice(0, text.length - affix.length) : text;
}

function stripSet(args: Arguments, budget: Budget): ReadonlySet<string> | undefined {
  if ((args.get(0, 'chars') ?? undefined) === undefined) return undefined;
  const set = textArgument(args, 0, 'chars').value;
  budget.spend(set.length);
  return new Set(set.split(''));
}

function affixes(args: Arguments, budget: Budget): string[] {
  const given = args.get(0, 'prefix');
  const values = given instanceof List ? given.items : [given];
  budget.spend(values.length);
  return values.map((value) => asText(value)?.value ?? fail(`an affix is ${typeName(value)}, not a string`));
}

function textArgument(args: Arguments, index: number, name: string): Text {
  const value = args.get(index, name);
  return asText(value) ?? fail(`the argument ${name} is ${typeName(value)}, not a string`);
}
