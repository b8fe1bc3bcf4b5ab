import type { Budget } from './budget.js';
import { fail } from './fail.js';
import { integer } from './numbers.js';
import { compareStrings, str } from './print.js';
import { Text } from './text.js';
import { asNumber, asText, Dict, Float, itemsOf, List, typeName, type Value } from './values.js';

/** All binary operators but `and` and `or`, whose right side is not always evaluated. */
export function binary(operator: string, left: Value, right: Value, budget: Budget): Value {
  switch (operator) {
    case '==':
      return isEqual(left, right, budget);
    case '!=':
      return !isEqual(left, right, budget);
    case 'in':
      return contains(right, left, budget);
    case 'not in':
      return !contains(right, left, budget);
    case '<':
      return compare(left, right, budget) < 0;
    case '>':
      return compare(left, right, budget) > 0;
    case '<=':
      return compare(left, right, budget) <= 0;
    case '>=':
      return compare(left, right, budget) >= 0;
    case '~':
      return concat([str(left, budget), str(right, budget)], budget);
    case '+':
      return add(left, right, budget);
    case '*':
      return multiply(left, right, budget);
    default:
      return arithmetic(operator, left, right);
  }
}

export function concat(texts: readonly Text[], budget: Budget): Text {
  budget.text(texts.reduce((sum, text) => sum + text.length, 0));
  return Text.concat(texts);
}

export function isEqual(left: Value, right: Value, budget: Budget): boolean {
  budget.enter();
  const equal = isEqualInside(left, right, budget);
  budget.leave();
  return equal;
}

function isEqualInside(left: Value, right: Value, budget: Budget): boolean {
  const numbers = [asNumber(left), asNumber(right)];
  if (numbers[0] !== undefined && numbers[1] !== undefined) return numbers[0] === numbers[1];
  if (left instanceof Dict && right instanceof Dict) {
    if (left.entries.size !== right.entries.size) return false;
    for (const [key, entry] of left.entries) {
      const other = right.entries.get(key);
      if (other === undefined || !isEqual(entry.value, other.value, budget)) return false;
    }
    return true;
  }
  if (left instanceof List && right instanceof List) {
    return (
      left.items.length === right.items.length &&
      left.items.every((item, i) => isEqual(item, right.items[i], budget))
    );
  }
  const texts = [asText(left), asText(right)];
  if (texts[0] !== undefined && texts[1] !== undefined) {
    budget.text(Math.min(texts[0].length, texts[1].length));
    return texts[0].value === texts[1].value;
  }
  return left === right;
}

/** Negative, zero or positive; for numbers, and for strings by code unit. */
export function compare(left: Value, right: Value, budget: Budget): number {
  const a = asNumber(left);
  const b = asNumber(right);
  if (a !== undefined && b !== undefined) return a < b ? -1 : a > b ? 1 : a === b ? 0 : Number.NaN;
  if (left instanceof Text && right instanceof Text) {
    budget.text(Math.min(left.length, right.length));
    return compareStrings(left.value, right.value);
  }
  return fail(`cannot compare ${typeName(left)} with ${typeName(right)}`);
}

function contains(container: Value, item: Value, budget: Budget): boolean {
  if (container instanceof Dict) {
    return item instanceof Text && container.entries.has(item.value);
  }
  if (container instanceof Text) {
    const part = asText(item) ?? fail(`cannot look for ${typeName(item)} in a string`);
    budget.search(container.length, part.length);
    return container.value.includes(part.value);
  }
  return itemsOf(container, budget).some((other) => isEqual(other, item, budget));
}

function add(left: Value, right: Value, budget: Budget): Value {
  const texts = [asText(left), asText(right)];
  if (texts[0] !== undefined && texts[1] !== undefined) return concat([texts[0], texts[1]], budget);
  if (left instanceof List && right instanceof List) {
    budget.spend(left.items.length + right.items.length);
    return new List([...left.items, ...right.items]);
  }
  return arithmetic('+', left, right);
}

function multiply(left: Value, right: Value, budget: Budget): Value {
  if (typeof left === 'number' && (right instanceof Text || right instanceof List)) {
    return multiply(right, left, budget);
  }
  if (typeof right === 'number') {
    const times = Math.max(0, right);
    if (left instanceof Text) {
      budget.text(left.length * times);
      budget.spend(times);
      return Text.concat(new Array<Text>(times).fill(left));
    }
    if (left instanceof List) {
      budget.spend(left.items.length * times + times);
      return new List(new Array<readonly Value[]>(times).fill(left.items).flat());
    }
  }
  return arithmetic('*', left, right);
}

function arithmetic(operator: string, left: Value, right: Value): Value {
  const a = asNumber(left);
  const b = asNumber(right);
  if (a === undefined || b === undefined) {
    return fail(`cannot apply ${operator} to ${typeName(left)} and ${typeName(right)}`);
  }
  const isFloat = left instanceof Float || right instanceof Float;
  const result = (value: number): Value => (isFloat ? new Float(value) : integer(value));
  const divisor = (): number => (b === 0 ? fail('division by zero') : b);
  switch (operator) {
    case '+':
      return result(a + b);
    case '-':
      return result(a - b);
    case '*':
      return result(a * b);
    case '/':
      return new Float(a / divisor());
    case '//':
      return result(Math.floor(a / divisor()));
    case '%':
      return result(a - Math.floor(a / divisor()) * b);
    case '**':
      return b < 0 ? new Float(a ** b) : result(a ** b);
    default:
      return fail(`unknown operator ${operator}`);
  }
}

export function negate(value: Value): Value {
  if (value instanceof Float) return new Float(-value.value);
  const number = asNumber(value) ?? fail(`cannot negate ${typeName(value)}`);
  return number === 0 ? 0 : -number;
}
