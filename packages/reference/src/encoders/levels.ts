import { roundHalfToEven } from '../formats/half.js';

/** The values that the codes of a format stand for, before the scale. */
export interface Levels {
  /** By code. */
  readonly values: Float64Array;
  /** The code whose value is nearest. */
  readonly nearest: (value: number) => number;
  /** The values that the largest weight of a block may come to lie at, each with the gap to the level before. */
  readonly ends: readonly { readonly value: number; readonly gap: number }[];
}

/** Consecutive integers; code 0 is `lowest`. */
export function integerLevels(lowest: number, highest: number): Levels {
  const values = Float64Array.from({ length: highest - lowest + 1 }, (_, code) => lowest + code);
  return {
    values,
    nearest: (value) => roundHalfToEven(Math.min(Math.max(value, lowest), highest)) - lowest,
    ends: endsOf(values),
  };
}

/** Any values, in any order; of two equal ones the first stands for both. */
export function tableLevels(table: ArrayLike<number>): Levels {
  const values = Float64Array.from(table);
  const codes = [...values.keys()]
    .filter((code) => values.indexOf(values[code]!) === code)
    .sort((a, b) => values[a]! - values[b]!);
  const ordered = Float64Array.from(codes, (code) => values[code]!);
  const borders = ordered.subarray(1).map((value, i) => (ordered[i]! + value) / 2);
  return {
    values,
    nearest: (value) => {
      let low = 0;
      let high = borders.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (value > borders[middle]!) low = middle + 1;
        else high = middle;
      }
      return codes[low]!;
    },
    ends: endsOf(ordered),
  };
}

/** The first odd numbers, times `unit`: what the sub-scales of iq1, iq2 and iq3 stand for. */
export function oddLevels(count: number, unit: number): Levels {
  return tableLevels(Array.from({ length: count }, (_, code) => unit * (2 * code + 1)));
}

/** Of levels in ascending order. The lowest counts only where it is more than a mirror of the highest. */
function endsOf(ordered: Float64Array): Levels['ends'] {
  const highest = { value: ordered.at(-1)!, gap: ordered.at(-1)! - ordered.at(-2)! };
  const lowest = { value: ordered[0]!, gap: ordered[1]! - ordered[0]! };
  return lowest.value < 0 && lowest.value !== -highest.value ? [lowest, highest] : [highest];
}
