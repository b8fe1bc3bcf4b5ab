import type { Budget } from './budget.js';
import { fail } from './fail.js';
import { str } from './print.js';
import { Scope } from './scope.js';
import { strftime } from './strftime.js';
import { Text } from './text.js';
import {
  type Arguments,
  Callable,
  Dict,
  dictOf,
  itemsOf,
  List,
  Namespace,
  typeName,
  type Value,
} from './values.js';

/** The scope that every template starts from: what Hugging Face's environment offers. */
export function globalScope(now: Date, budget: Budget): Scope {
  const scope = new Scope();
  for (const [name, value] of constants) scope.set(name, value);
  scope.set('range', new Callable((args) => range(args, budget)));
  scope.set('dict', new Callable((args) => dict(args, budget)));
  scope.set('namespace', new Callable((args) => namespace(args, budget)));
  scope.set('raise_exception', new Callable((args) => raise(args, budget)));
  scope.set('strftime_now', new Callable((args) => formatted(now, args, budget)));
  return scope;
}

const constants: readonly (readonly [string, Value])[] = [
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['none', null],
  ['None', null],
];

function range(args: Arguments, budget: Budget): List {
  const given = args.positional.map((value) =>
    typeof value === 'number' ? value : fail(`range of ${typeName(value)}`),
  );
  const [start, stop, step = 1] = given.length === 1 ? [0, given[0]!] : given;
  if (start === undefined || stop === undefined) return fail('range without a bound');
  if (step === 0) return fail('range with a step of 0');
  const count = Math.max(0, Math.ceil((stop - start) / step));
  budget.spend(count);
  return new List(Array.from({ length: count }, (_, i) => start + i * step));
}

function dict(args: Arguments, budget: Budget): Dict {
  return dictOf(pairs(args, budget));
}

function namespace(args: Arguments, budget: Budget): Namespace {
  return new Namespace(new Map(pairs(args, budget).map(([key, value]) => [key.value, value])));
}

/** The names and values given as one mapping or list of pairs, as keywords, or both. */
function pairs(args: Arguments, budget: Budget): [Text, Value][] {
  const given = args.positional[0];
  const found: [Text, Value][] = [];
  if (given instanceof Dict) {
    for (const { key, value } of given.entries.values()) found.push([key, value]);
  } else {
    for (const pair of itemsOf(given, budget)) {
      const [key, value] = pair instanceof List ? pair.items : [];
      found.push([key instanceof Text ? key : fail(`a name is ${typeName(key)}, not a string`), value]);
    }
  }
  // A name may come from an unpacked mapping of the caller's, so it is not trusted.
  for (const [name, value] of args.named) found.push([Text.untrusted(name), value]);
  budget.spend(found.length);
  return found;
}

function formatted(now: Date, args: Arguments, budget: Budget): Text {
  const format = str(args.get(0, 'format'), budget);
  budget.text(format.length);
  return format.mapRuns((run) => strftime(now, run));
}

function raise(args: Arguments, budget: Budget): never {
  const message = str(args.get(0, 'message'), budget).value;
  return fail(`the template says: ${message}`);
}
