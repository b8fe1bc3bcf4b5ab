import { type GrammarNode, refused, sequence, text } from '../grammar/grammar.js';
import { parseRegex, regexSomewhere, wholeRegex } from '../grammar/parse-regex.js';
import { formats } from './formats.js';
import { escaped, stringText } from './json-text.js';
import { type Bound, integerText, numberText } from './numbers.js';
import type { SchemaCompiler } from './schema-grammar.js';
import { countOf, type Place, type SchemaObject, unsupported } from './schema-reader.js';

export function integerOf({ path }: Place, schema: SchemaObject): GrammarNode {
  const { least, most } = boundsOf(path, schema);
  // The next whole number inside.
  const low = least && (least.isExcluded ? Math.floor(least.value) + 1 : Math.ceil(least.value));
  const high = most && (most.isExcluded ? Math.ceil(most.value) - 1 : Math.floor(most.value));
  return integerText(low, high);
}

export function numberOf({ path }: Place, schema: SchemaObject): GrammarNode {
  const { least, most } = boundsOf(path, schema);
  return numberText(least, most);
}

/** Numbers are written with 15 digits at most, so ends beyond that change nothing. */
const beyond = 1e15;

function boundsOf(path: string, schema: SchemaObject): { least: Bound | undefined; most: Bound | undefined } {
  if (schema.multipleOf !== undefined && schema.multipleOf !== 1) throw unsupported(path, 'multipleOf');
  if (schema.multipleOf === 1 && schema.type !== 'integer')
    throw unsupported(path, 'multipleOf', 'it at integers alone');
  const bound = (keyword: string, isExcluded: boolean): Bound | undefined => {
    const value = schema[keyword];
    if (value === undefined) return undefined;
    if (typeof value !== 'number') throw refused(`${path}.${keyword}`, 'a number', value);
    return { value, isExcluded };
  };
  const lower = [bound('minimum', false), bound('exclusiveMinimum', true)].filter((end) => end !== undefined);
  const upper = [bound('maximum', false), bound('exclusiveMaximum', true)].filter((end) => end !== undefined);
  // Of two that are equal, the one that is excluded is the stricter, and comes last.
  const least = lower.reduce<Bound | undefined>(
    (best, end) => (best && best.value > end.value ? best : end),
    undefined,
  );
  const most = upper.reduce<Bound | undefined>(
    (best, end) => (best && best.value < end.value ? best : end),
    undefined,
  );
  if ((least?.value ?? 0) >= beyond || (most?.value ?? 0) <= -beyond) {
    throw refused(path, `bounds between -${beyond} and ${beyond}`, least?.value ?? most?.value);
  }
  return {
    least: least && least.value > -beyond ? least : undefined,
    most: most && most.value < beyond ? most : undefined,
  };
}

export function stringOf({ rules }: SchemaCompiler, place: Place, schema: SchemaObject): GrammarNode {
  const { path } = place;
  const { pattern, format } = schema;
  const lengths = lengthsOf({ schema, path });
  if (pattern === undefined && format === undefined) return stringText(rules, ...lengths);
  const keyword = ['minLength', 'maxLength'].find((name) => schema[name] !== undefined);
  if (keyword !== undefined) {
    throw unsupported(path, keyword, `no lengths beside ${pattern === undefined ? 'format' : 'pattern'}`);
  }
  if (format !== undefined && !formats.has(String(format))) {
    throw refused(`${path}.format`, [...formats.keys()].join(', '), format);
  }
  const inside =
    pattern === undefined ? wholeRegex(formats.get(String(format))!, path) : patternOf(pattern, path);
  return sequence(text('"'), escaped(inside), text('"'));
}

/** Each counted character is a place of its own. */
const mostCounted = 2000;

function lengthsOf(place: Place): readonly [least: number, most: number] {
  const least = countOf(place, 'minLength', 0);
  const most = countOf(place, 'maxLength', Number.POSITIVE_INFINITY);
  const odd = [least, most].find((count) => Number.isFinite(count) && count > mostCounted);
  if (odd !== undefined)
    throw refused(`${place.path}.${odd === most ? 'maxLength' : 'minLength'}`, `at most ${mostCounted}`, odd);
  return [least, most];
}

/** All texts that fit a pattern. Where a format stands beside it, the pattern decides. */
export function patternOf(pattern: unknown, path: string): GrammarNode {
  if (typeof pattern !== 'string') throw refused(`${path}.pattern`, 'a regular expression', pattern);
  return regexSomewhere(parseRegex(pattern, `${path}.pattern`));
}
