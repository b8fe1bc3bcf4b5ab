import type { Budget } from './budget.js';
import { fail } from './fail.js';
import { parseNumber } from './numbers.js';
import { concat } from './operators.js';
import { str, toJson } from './print.js';
import { elementOf, lengthOf, sliceOf } from './slices.js';
import { join, lines, stringMethod } from './string-methods.js';
import { Text } from './text.js';
import {
  type Arguments,
  asNumber,
  asText,
  Dict,
  Float,
  isTrue,
  itemsOf,
  List,
  typeName,
  type Value,
} from './values.js';

export type Filter = (input: Value, args: Arguments, budget: Budget) => Value;

/** Filters that look at one value. Those over lists stand in list-filters.ts. */
export const valueFilters: ReadonlyMap<string, Filter> = new Map<string, Filter>([
  ['safe', (input) => input],
  ['string', (input, _, budget) => str(input, budget)],
  ['default', withDefault],
  ['d', withDefault],
  ['tojson', json],
  ['length', length],
  ['count', length],
  ['items', items],
  ['int', (input, args, budget) => toNumber(input, args, budget, true)],
  ['float', (input, args, budget) => toNumber(input, args, budget, false)],
  ['abs', absolute],
  ['join', joined],
  ['first', (input, _, budget) => end(input, 0, budget)],
  ['last', (input, _, budget) => end(input, -1, budget)],
  ['list', (input, _, budget) => new List(itemsOf(input, budget))],
  ['reverse', (input, _, budget) => sliceOf(input, [undefined, undefined, -1], budget)],
  ['indent', (input, args, budget) => indent(str(input, budget), args, budget)],
  ...['upper', 'lower', 'title', 'capitalize', 'replace'].map((name) => [name, asMethod(name)] as const),
  ['trim', asMethod('strip')],
]);

/** The string method of that name, as a filter. */
function asMethod(name: string): Filter {
  return (input, args, budget) => stringMethod(str(input, budget), name, budget)?.call(args);
}

function withDefault(input: Value, args: Arguments): Value {
  const otherwise = args.get(0, 'default_value') ?? Text.empty;
  const alsoWhenFalse = isTrue(args.get(1, 'boolean'));
  return input === undefined || (alsoWhenFalse && !isTrue(input)) ? otherwise : input;
}

function json(input: Value, args: Arguments, budget: Budget): Text {
  const indent = args.get(1, 'indent') ?? undefined;
  if (indent !== undefined && typeof indent !== 'number') return fail(`indent is ${typeName(indent)}`);
  const separators = args.get(2, 'separators') ?? undefined;
  return toJson(
    input,
    {
      indent,
      ensureAscii: isTrue(args.get(0, 'ensure_ascii')),
      sortKeys: isTrue(args.get(3, 'sort_keys')),
      separators: separators === undefined ? undefined : separatorPair(separators),
    },
    budget,
  );
}

function separatorPair(value: Value): [Text, Text] {
  const [item, key] = value instanceof List ? value.items : [];
  if (item instanceof Text && key instanceof Text) return [item, key];
  return fail('separators are not two strings');
}

function length(input: Value, _: Arguments, budget: Budget): number {
  if (input === undefined) return 0;
  if (input instanceof List) return input.items.length;
  if (input instanceof Dict) return input.entries.size;
  return input instanceof Text ? lengthOf(input, budget) : fail(`${typeName(input)} has no length`);
}

function items(input: Value, _: Arguments, budget: Budget): List {
  if (input === undefined) return new List([]);
  if (!(input instanceof Dict)) return fail(`items of ${typeName(input)}`);
  budget.spend(input.entries.size);
  return new List(input.items());
}

function toNumber(input: Value, args: Arguments, budget: Budget, whole: boolean): Value {
  const given = asText(input);
  budget.text(given?.length ?? 0);
  const parsed = given === undefined ? asNumber(input) : asNumber(parseNumber(given.value));
  if (parsed === undefined || !Number.isFinite(parsed)) {
    return args.get(0, 'default') ?? (whole ? 0 : new Float(0));
  }
  return whole ? Math.trunc(parsed) : new Float(parsed);
}

function absolute(input: Value): Value {
  if (input instanceof Float) return new Float(Math.abs(input.value));
  return Math.abs(asNumber(input) ?? fail(`abs of ${typeName(input)}`));
}

function joined(input: Value, args: Arguments, budget: Budget): Text {
  const separator = args.get(0, 'd') ?? Text.empty;
  const attribute = args.get(1, 'attribute');
  const values = itemsOf(input, budget);
  const shown = attribute === undefined ? values : values.map((item) => attributeOf(item, attribute, budget));
  return join(shown, str(separator, budget), budget);
}

function end(input: Value, index: 0 | -1, budget: Budget): Value {
  if (input instanceof List || input instanceof Text) return elementOf(input, index, budget);
  return itemsOf(input, budget).at(index);
}

function indent(text: Text, args: Arguments, budget: Budget): Text {
  const width = args.get(0, 'width') ?? 4;
  if (typeof width === 'number') budget.checkText(width);
  const margin =
    typeof width === 'number' ? Text.trusted(' '.repeat(Math.max(0, width))) : str(width, budget);
  const alsoFirst = isTrue(args.get(1, 'first'));
  const alsoBlank = isTrue(args.get(2, 'blank'));
  const newline = Text.trusted('\n');
  // The added line end keeps a last empty line, which splitting into lines would drop.
  const pieces = lines(concat([text, newline], budget), false, budget).flatMap((line, i) => {
    const isIndented = i === 0 ? alsoFirst : alsoBlank || line.length > 0;
    return [...(i === 0 ? [] : [newline]), ...(isIndented ? [margin] : []), line];
  });
  return concat(pieces, budget);
}

/** The attribute that map, selectattr, sort and join look at: a name, an index, or several with dots between. */
export function attributeOf(value: Value, attribute: Value, budget: Budget): Value {
  const name = str(attribute, budget);
  budget.text(name.length);
  const path = name.value.split('.');
  budget.spend(path.length);
  return path.reduce<Value>((found, step) => {
    if (found instanceof Dict) return found.get(step);
    return found instanceof List && /^\d+$/.test(step) ? found.items[Number(step)] : undefined;
  }, value);
}
