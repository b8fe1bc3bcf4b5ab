import {
  character,
  choice,
  type GrammarNode,
  nothing,
  optional,
  repeat,
  sequence,
  text,
} from '../grammar/grammar.js';

/** Digits of a number at most: so many are exact in a double, so that what is compared is what was written. */
const mostDigits = 15;

const digits = (first: number, last: number) => character([[0x30 + first, 0x30 + last]]);
const anyDigit = digits(0, 9);
const minus = text('-');

/** An end of a range of numbers. */
export interface Bound {
  readonly value: number;
  readonly isExcluded: boolean;
}

/** Whole numbers from `least` to `most`, which are whole themselves. */
export function integerText(least: number | undefined, most: number | undefined): GrammarNode {
  const low = least ?? Number.NEGATIVE_INFINITY;
  const high = most ?? Number.POSITIVE_INFINITY;
  const ways: GrammarNode[] = [];
  if (high >= 0) ways.push(naturals(Math.max(low, 0), high));
  if (low < 0) ways.push(sequence(minus, naturals(Math.max(-high, 1), -low)));
  return choice(...ways);
}

/** Whole numbers from `least` to `most` (may be Infinity), neither below 0. */
function naturals(least: number, most: number): GrammarNode {
  const last = Number.isFinite(most) ? String(most) : '9'.repeat(mostDigits);
  const first = String(least);
  if (first.length > last.length || (first.length === last.length && first > last)) return choice();
  if (least === 0) return choice(text('0'), ...(Number(last) > 0 ? [naturals(1, Number(last))] : []));
  const ways: GrammarNode[] = [];
  for (let length = first.length; length <= last.length; length++) {
    const from = length === first.length ? first : `1${'0'.repeat(length - 1)}`;
    const to = length === last.length ? last : '9'.repeat(length);
    ways.push(between(from, to));
  }
  return choice(...ways);
}

/** Digits from `first` to `last`, which are equally long. */
function between(first: string, last: string): GrammarNode {
  const length = first.length;
  if (length === 0) return nothing;
  const [low, high] = [Number(first[0]), Number(last[0])];
  const rest = [first.slice(1), last.slice(1)] as const;
  if (low === high) return sequence(digits(low, low), between(...rest));
  const isFromZero = /^0*$/.test(rest[0]);
  const isToNine = /^9*$/.test(rest[1]);
  const inner = [isFromZero ? low : low + 1, isToNine ? high : high - 1] as const;
  const ways: GrammarNode[] = [];
  if (!isFromZero) ways.push(sequence(digits(low, low), between(rest[0], '9'.repeat(length - 1))));
  if (inner[0] <= inner[1]) ways.push(sequence(digits(...inner), repeat(anyDigit, length - 1, length - 1)));
  if (!isToNine) ways.push(sequence(digits(high, high), between('0'.repeat(length - 1), rest[1])));
  return choice(...ways);
}

/** Any number, also with an exponent. */
export const anyNumber: GrammarNode = sequence(
  optional(minus),
  naturals(0, Number.POSITIVE_INFINITY),
  optional(sequence(text('.'), repeat(anyDigit, 1, mostDigits))),
  optional(
    sequence(
      character([
        [0x45, 0x45],
        [0x65, 0x65],
      ]),
      optional(choice(text('+'), minus)),
      repeat(anyDigit, 1, 2),
    ),
  ),
);

/** Numbers between two ends, without exponents. */
export function numberText(least: Bound | undefined, most: Bound | undefined): GrammarNode {
  if (least === undefined && most === undefined) return anyNumber;
  const low = least ?? { value: Number.NEGATIVE_INFINITY, isExcluded: true };
  const high = most ?? { value: Number.POSITIVE_INFINITY, isExcluded: true };
  const zero: Bound = { value: 0, isExcluded: false };
  const ways: GrammarNode[] = [];
  if (high.value >= 0) ways.push(positives(low.value < 0 ? zero : low, high));
  if (low.value < 0) {
    const [from, to] = [mirrored(high), mirrored(low)];
    ways.push(sequence(minus, positives(from.value < 0 ? zero : from, to)));
  }
  return choice(...ways);
}

const mirrored = ({ value, isExcluded }: Bound): Bound => ({ value: -value, isExcluded });

/** Numbers between two ends that are not below 0. Zero may be among them though it is meant to be negative: -0 is 0. */
function positives(low: Bound, high: Bound): GrammarNode {
  if (low.value > high.value) return choice();
  const [lowWhole, lowPart] = parts(low.value);
  const [highWhole, highPart] = parts(high.value);
  const bounded = Number.isFinite(high.value);
  const partDigits = mostDigits - String(bounded ? highWhole : lowWhole).length;
  const range = (from?: Edge, to?: Edge) => fraction(from, to, partDigits);
  const start: Edge = { digits: lowPart, isExcluded: low.isExcluded };
  const end: Edge = { digits: highPart, isExcluded: high.isExcluded };
  if (bounded && lowWhole === highWhole) return sequence(text(String(lowWhole)), range(start, end));
  const ways: GrammarNode[] = [sequence(text(String(lowWhole)), range(start))];
  // Without an end: as many digits before the point as leave room for those behind it.
  const last = bounded
    ? highWhole - 1
    : 10 ** Math.min(Math.max(mostDigits - partDigits + 2, 8), mostDigits) - 1;
  const free = bounded ? partDigits : mostDigits - String(last).length;
  if (last > lowWhole)
    ways.push(sequence(naturals(lowWhole + 1, last), fraction(undefined, undefined, free)));
  if (bounded) ways.push(sequence(text(String(highWhole)), range(undefined, end)));
  return choice(...ways);
}

interface Edge {
  /** Behind the point, without zeros at the end. */
  readonly digits: string;
  readonly isExcluded: boolean;
}

/** The whole part, and the digits behind the point. */
function parts(value: number): [number, string] {
  if (!Number.isFinite(value)) return [value, ''];
  const whole = Math.floor(value);
  const [, digits = ''] = plainDecimal(value).split('.');
  return [whole, digits.replace(/0+$/, '')];
}

/** Without exponent. */
const plainDecimal = (value: number) => (/e/.test(String(value)) ? value.toFixed(20) : String(value));

/** The point and what is behind it, or nothing: from one edge to another, of at most `length` digits. */
function fraction(from: Edge | undefined, to: Edge | undefined, length: number): GrammarNode {
  const low = from ?? { digits: '', isExcluded: false };
  const ways: GrammarNode[] = [];
  const zeroIsIn =
    low.digits === '' && !low.isExcluded && (to === undefined || to.digits !== '' || !to.isExcluded);
  if (zeroIsIn) ways.push(nothing);
  if (length > 0) ways.push(sequence(text('.'), digitsBetween(low, to, length, true)));
  return choice(...ways);
}

/** At most `left` digits, at least one where `isFirst`, that lie between two edges as the digits behind a point do. */
function digitsBetween(
  low: Edge | undefined,
  high: Edge | undefined,
  left: number,
  isFirst: boolean,
): GrammarNode {
  const ways: GrammarNode[] = [];
  const isAbove = low === undefined || (low.digits === '' && !low.isExcluded);
  const isBelow = high === undefined || high.digits !== '' || !high.isExcluded;
  if (!isFirst && isAbove && isBelow) ways.push(nothing);
  if (left === 0) return choice(...ways);
  if (low === undefined && high === undefined) return repeat(anyDigit, isFirst ? 1 : 0, left);
  const first = Number(low?.digits[0] ?? 0);
  const last = high === undefined ? 9 : Number(high.digits[0] ?? 0);
  const next = (from: Edge | undefined, to: Edge | undefined) => digitsBetween(from, to, left - 1, false);
  const [lowRest, highRest] = [withoutFirst(low), withoutFirst(high)];
  if (first === last && low && high)
    return choice(...ways, sequence(digits(first, first), next(lowRest, highRest)));
  if (low) ways.push(sequence(digits(first, first), next(lowRest, undefined)));
  const [from, to] = [low ? first + 1 : first, high ? last - 1 : last];
  if (from <= to) ways.push(sequence(digits(from, to), next(undefined, undefined)));
  if (high && last >= first) ways.push(sequence(digits(last, last), next(undefined, highRest)));
  return choice(...ways);
}

const withoutFirst = (edge: Edge | undefined) => edge && { ...edge, digits: edge.digits.slice(1) };
