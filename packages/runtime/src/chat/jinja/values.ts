import type { Budget } from './budget.js';
import { fail } from './fail.js';
import { Text } from './text.js';

/**
 * A value of the template language. `undefined` is its undefined, `null` its none, a number its integer
 * (always a safe one); floats are boxed because 1.0 prints differently from 1.
 */
export type Value =
  | undefined
  | null
  | boolean
  | number
  | Float
  | Text
  | List
  | Dict
  | Namespace
  | LoopState
  | Callable;

export class Float {
  constructor(readonly value: number) {}
}

/** A list or tuple. Never changed once made, so values hold no cycles. */
export class List {
  constructor(readonly items: readonly Value[]) {}
}

export interface DictEntry {
  readonly key: Text;
  readonly value: Value;
}

/**
 * A mapping from strings. Never changed once made.
 *
 * `source` is the JSON text that it was read from, kept for the arguments of tool calls: some templates
 * insert them as they stand, others dump or walk them, so such a value is a string and a mapping at once.
 */
export class Dict {
  constructor(
    readonly entries: ReadonlyMap<string, DictEntry>,
    readonly source?: Text,
  ) {}

  get(key: string): Value {
    return this.entries.get(key)?.value;
  }

  keys(): Text[] {
    return Array.from(this.entries.values(), (entry) => entry.key);
  }

  /** Key and value of each entry. */
  items(): List[] {
    return Array.from(this.entries.values(), ({ key, value }) => new List([key, value]));
  }
}

/** What namespace() gives: attributes that `set` may change from inside a loop. Prints and dumps as nothing. */
export class Namespace {
  constructor(readonly attributes: Map<string, Value>) {}
}

/** The variable `loop` in one turn of a for. */
export class LoopState {
  constructor(
    private readonly items: readonly Value[],
    private readonly index: number,
  ) {}

  get(name: string): Value {
    const { items, index } = this;
    switch (name) {
      case 'index':
        return index + 1;
      case 'index0':
        return index;
      case 'revindex':
        return items.length - index;
      case 'revindex0':
        return items.length - index - 1;
      case 'first':
        return index === 0;
      case 'last':
        return index === items.length - 1;
      case 'length':
        return items.length;
      case 'previtem':
        return items[index - 1];
      case 'nextitem':
        return items[index + 1];
      default:
        return undefined;
    }
  }
}

/** A macro, method or global function. */
export class Callable {
  constructor(readonly call: (args: Arguments) => Value) {}
}

export class Arguments {
  static readonly none = new Arguments([], new Map());

  constructor(
    readonly positional: readonly Value[],
    readonly named: ReadonlyMap<string, Value>,
  ) {}

  /** The argument at `index` or called `name`; undefined where it is not given. */
  get(index: number, name: string): Value {
    return index < this.positional.length ? this.positional[index] : this.named.get(name);
  }

  /** The arguments from `start` on. */
  from(start: number): Arguments {
    return new Arguments(this.positional.slice(start), this.named);
  }
}

export function dictOf(entries: Iterable<readonly [Text, Value]>): Dict {
  return new Dict(new Map(Array.from(entries, ([key, value]) => [key.value, { key, value }])));
}

/** The value as a string, where it is one. */
export function asText(value: Value): Text | undefined {
  if (value instanceof Text) return value;
  return value instanceof Dict ? value.source : undefined;
}

/** The value as a number, where it is one; booleans count as 0 and 1. */
export function asNumber(value: Value): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return Number(value);
  return value instanceof Float ? value.value : undefined;
}

export function isTrue(value: Value): boolean {
  if (value === undefined || value === null) return false;
  if (value instanceof Text) return value.length > 0;
  if (value instanceof List) return value.items.length > 0;
  if (value instanceof Dict) return value.entries.size > 0;
  return asNumber(value) !== 0;
}

/** What a for loop, `in`, list and join see of a value. */
export function itemsOf(value: Value, budget: Budget): readonly Value[] {
  if (value === undefined) return [];
  if (value instanceof List) {
    budget.spend(value.items.length);
    return value.items;
  }
  if (value instanceof Dict) {
    budget.spend(value.entries.size);
    return value.keys();
  }
  if (value instanceof Text) return characters(value, budget);
  return fail(`cannot iterate over ${typeName(value)}`);
}

/** The code points of a text, one text each. */
export function characters(text: Text, budget: Budget): Text[] {
  budget.spend(text.length);
  let offset = 0;
  return Array.from(text.value, (character) => {
    const start = offset;
    offset += character.length;
    return text.slice(start, offset);
  });
}

export function typeName(value: Value): string {
  if (value === undefined) return 'an undefined value';
  if (value === null) return 'none';
  if (typeof value === 'boolean') return 'a boolean';
  if (typeof value === 'number') return 'an integer';
  if (value instanceof Float) return 'a float';
  if (value instanceof Text) return 'a string';
  if (value instanceof List) return 'a list';
  if (value instanceof Dict) return 'a mapping';
  if (value instanceof Callable) return 'a function';
  return value instanceof Namespace ? 'a namespace' : 'a loop';
}
