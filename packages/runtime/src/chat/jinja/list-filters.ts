import type { Budget } from './budget.js';
import { fail } from './fail.js';
import { attributeOf, type Filter, valueFilters } from './filters.js';
import { compare, isEqual } from './operators.js';
import { str } from './print.js';
import { Text } from './text.js';
import { valueTest } from './value-tests.js';
import { type Arguments, Dict, isTrue, itemsOf, List, typeName, type Value } from './values.js';

/** Filters over the elements of a list. */
const listFilters: ReadonlyMap<string, Filter> = new Map<string, Filter>([
  ['map', map],
  ['select', (input, args, budget) => select(input, args, budget, true)],
  ['reject', (input, args, budget) => select(input, args, budget, false)],
  ['selectattr', (input, args, budget) => selectByAttribute(input, args, budget, true)],
  ['rejectattr', (input, args, budget) => selectByAttribute(input, args, budget, false)],
  ['unique', unique],
  ['sort', sort],
  ['dictsort', sortedItems],
]);

export function filterNamed(name: string): Filter {
  return valueFilters.get(name) ?? listFilters.get(name) ?? fail(`there is no filter named ${name}`);
}

function map(input: Value, args: Arguments, budget: Budget): List {
  const items = itemsOf(input, budget);
  const attribute = args.named.get('attribute');
  if (attribute !== undefined) {
    const otherwise = args.named.get('default');
    return new List(items.map((item) => attributeOf(item, attribute, budget) ?? otherwise));
  }
  const filter = filterNamed(nameArgument(args, 0));
  budget.enter();
  const mapped = items.map((item) => filter(item, args.from(1), budget));
  budget.leave();
  return new List(mapped);
}

function select(input: Value, args: Arguments, budget: Budget, wanted: boolean): List {
  const passes = condition(args, budget);
  return new List(itemsOf(input, budget).filter((item) => passes(item) === wanted));
}

function selectByAttribute(input: Value, args: Arguments, budget: Budget, wanted: boolean): List {
  const attribute = args.positional[0];
  const passes = condition(args.from(1), budget);
  return new List(
    itemsOf(input, budget).filter((item) => passes(attributeOf(item, attribute, budget)) === wanted),
  );
}

/** The test that the arguments name, with what follows as the value to compare with; else whether it is true. */
function condition(args: Arguments, budget: Budget): (value: Value) => boolean {
  if (args.positional.length === 0) return isTrue;
  const test = valueTest(nameArgument(args, 0));
  const other = args.positional[1];
  return (value) => {
    budget.spend(1);
    return test(value, other, budget);
  };
}

function nameArgument(args: Arguments, index: number): string {
  const name = args.positional[index];
  return name instanceof Text ? name.value : fail(`a name is ${typeName(name)}, not a string`);
}

function unique(input: Value, args: Arguments, budget: Budget): List {
  const attribute = args.get(1, 'attribute');
  const key = (item: Value): Value =>
    folded(attribute === undefined ? item : attributeOf(item, attribute, budget), args, budget);
  const kept: Value[] = [];
  const keys: Value[] = [];
  for (const item of itemsOf(input, budget)) {
    const own = key(item);
    if (keys.some((other) => isEqual(own, other, budget))) continue;
    keys.push(own);
    kept.push(item);
  }
  return new List(kept);
}

/** Strings compare without case unless the first argument (or `case_sensitive`) is true. */
function folded(value: Value, args: Arguments, budget: Budget, index = 0): Value {
  if (!(value instanceof Text) || isTrue(args.get(index, 'case_sensitive'))) return value;
  budget.text(value.length);
  return value.recase((text) => text.toLowerCase());
}

function sort(input: Value, args: Arguments, budget: Budget): List {
  const attribute = args.get(2, 'attribute');
  return sortedBy(itemsOf(input, budget), isTrue(args.get(0, 'reverse')), budget, (item) =>
    folded(attribute === undefined ? item : attributeOf(item, attribute, budget), args, budget, 1),
  );
}

function sortedItems(input: Value, args: Arguments, budget: Budget): List {
  if (!(input instanceof Dict)) return fail(`dictsort of ${typeName(input)}`);
  const by = str(args.get(1, 'by') ?? Text.trusted('key'), budget).value;
  const column = by === 'key' ? 0 : by === 'value' ? 1 : fail('dictsort by neither key nor value');
  budget.spend(input.entries.size);
  return sortedBy(input.items(), isTrue(args.get(2, 'reverse')), budget, (pair) =>
    folded((pair as List).items[column], args, budget),
  );
}

function sortedBy(
  items: readonly Value[],
  reverse: boolean,
  budget: Budget,
  keyOf: (item: Value) => Value,
): List {
  const keyed = items.map((item) => ({ item, key: keyOf(item) }));
  keyed.sort((a, b) => {
    budget.spend(1);
    return reverse ? compare(b.key, a.key, budget) : compare(a.key, b.key, budget);
  });
  return new List(keyed.map(({ item }) => item));
}
