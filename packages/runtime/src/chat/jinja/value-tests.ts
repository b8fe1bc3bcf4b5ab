import type { Budget } from './budget.js';
import { fail } from './fail.js';
import { binary } from './operators.js';
import { asNumber, asText, Callable, Dict, Float, List, typeName, type Value } from './values.js';

type ValueTest = (value: Value, other: Value, budget: Budget) => boolean;

/** What `is NAME`, select and reject ask of a value. */
export function valueTest(name: string): ValueTest {
  return tests.get(name) ?? fail(`there is no test named ${name}`);
}

function comparison(operator: string): ValueTest {
  return (value, other, budget) => binary(operator, value, other, budget) === true;
}

function parity(rest: number): ValueTest {
  return (value) =>
    typeof value === 'number' ? Math.abs(value % 2) === rest : fail(`${typeName(value)} is not even or odd`);
}

/** Whether a string has letters with a case, all of them `upper` or all not. */
function isCased(upper: boolean): ValueTest {
  return (value, _, budget) => {
    const text = asText(value)?.value ?? '';
    budget.text(text.length);
    return (text === text.toUpperCase()) === upper && (text === text.toLowerCase()) !== upper;
  };
}

const tests: ReadonlyMap<string, ValueTest> = new Map<string, ValueTest>([
  ['defined', (value) => value !== undefined],
  ['undefined', (value) => value === undefined],
  ['none', (value) => value === null],
  ['boolean', (value) => typeof value === 'boolean'],
  ['true', (value) => value === true],
  ['false', (value) => value === false],
  // A boolean is a number, as in Python, but no integer.
  ['number', (value) => asNumber(value) !== undefined],
  ['integer', (value) => typeof value === 'number'],
  ['float', (value) => value instanceof Float],
  ['string', (value) => asText(value) !== undefined],
  ['mapping', (value) => value instanceof Dict],
  ['sequence', (value) => value instanceof List || value instanceof Dict || asText(value) !== undefined],
  ['iterable', (value) => value instanceof List || value instanceof Dict || asText(value) !== undefined],
  ['callable', (value) => value instanceof Callable],
  ['odd', parity(1)],
  ['even', parity(0)],
  ['lower', isCased(false)],
  ['upper', isCased(true)],
  ['in', comparison('in')],
  ...['eq', 'equalto', '=='].map((name): [string, ValueTest] => [name, comparison('==')]),
  ...['ne', '!='].map((name): [string, ValueTest] => [name, comparison('!=')]),
  ...['lt', 'lessthan', '<'].map((name): [string, ValueTest] => [name, comparison('<')]),
  ...['gt', 'greaterthan', '>'].map((name): [string, ValueTest] => [name, comparison('>')]),
  ...['le', '<='].map((name): [string, ValueTest] => [name, comparison('<=')]),
  ...['ge', '>='].map((name): [string, ValueTest] => [name, comparison('>=')]),
]);
