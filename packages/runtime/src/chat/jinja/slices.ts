import type { Budget } from './budget.js';
import { fail } from './fail.js';
import { concat } from './operators.js';
import { Text } from './text.js';
import { characters, List, typeName, type Value } from './values.js';

/** `value[start:stop:step]`, over list elements or code points, as Python takes them. */
export function sliceOf(value: Value, bounds: readonly [Value, Value, Value], budget: Budget): Value {
  const [start, stop, step = 1] = bounds.map((bound) =>
    bound === undefined || bound === null || typeof bound === 'number'
      ? (bound ?? undefined)
      : fail(`a slice bound is ${typeName(bound)}`),
  );
  if (step === 0) return fail('a slice step is 0');
  if (value instanceof List) return new List(pick(value.items, start, stop, step, budget));
  if (!(value instanceof Text)) return fail(`cannot slice ${typeName(value)}`);
  budget.text(value.length);
  if (step === 1 && hasNoSurrogates(value.value)) {
    return value.slice(...forwardRange(value.length, start, stop));
  }
  return concat(pick(characters(value, budget), start, stop, step, budget), budget);
}

/** The element or character at `index`, counted from the end where negative; undefined beyond. */
export function elementOf(value: List | Text, index: number, budget: Budget): Value {
  if (value instanceof List) return value.items.at(index);
  budget.text(value.length);
  if (!hasNoSurrogates(value.value)) return characters(value, budget).at(index);
  const offset = index < 0 ? index + value.length : index;
  return offset < 0 || offset >= value.length ? undefined : value.slice(offset, offset + 1);
}

/** Code points of a text. */
export function lengthOf(text: Text, budget: Budget): number {
  budget.text(text.length);
  let points = 0;
  for (let at = 0; at < text.length; points++) at += text.value.codePointAt(at)! > 0xffff ? 2 : 1;
  return points;
}

function pick<Item>(
  items: readonly Item[],
  start: number | undefined,
  stop: number | undefined,
  step: number,
  budget: Budget,
): Item[] {
  budget.spend(items.length);
  if (step > 0) {
    const [from, to] = forwardRange(items.length, start, stop);
    const range = items.slice(from, to);
    return step === 1 ? range : range.filter((_, i) => i % step === 0);
  }
  const last = items.length - 1;
  const from = start === undefined ? last : start < 0 ? start + items.length : Math.min(start, last);
  const to = stop === undefined ? -1 : Math.max(-1, stop < 0 ? stop + items.length : stop);
  const picked: Item[] = [];
  for (let i = from; i > to; i += step) picked.push(items[i]!);
  return picked;
}

function forwardRange(length: number, start = 0, stop = length): [number, number] {
  const clamp = (bound: number): number => Math.max(0, Math.min(length, bound < 0 ? bound + length : bound));
  return [clamp(start), clamp(stop)];
}

function hasNoSurrogates(value: string): boolean {
  return !/[\ud800-\udfff]/.test(value);
}
