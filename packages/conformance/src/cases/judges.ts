import type { Tolerance } from '@pocketllm/abi';
import { boundOf, type Terms } from '../tolerance.js';
import type { Elements, Judge } from './case.js';

/**
 * Judges floats element by element. Where the reference gives NaN, anything goes: the rows of a NaN are its
 * own affair. Infinities have to be met.
 */
export function judgeFloats(
  expected: Float32Array,
  tolerance: Tolerance,
  termsOf: (index: number) => Terms = () => ({}),
): Judge {
  const bounds = Float64Array.from(expected, (value, index) =>
    Number.isFinite(value) ? boundOf(tolerance, value, termsOf(index)) : 0,
  );
  return (actual) => {
    const shape = shapeFault(expected, actual);
    if (shape) return shape;
    let worst = { index: -1, factor: 1 };
    let wrong = 0;
    expected.forEach((value, index) => {
      if (Number.isNaN(value) || value === actual[index]) return;
      const off = Math.abs(value - actual[index]!) / bounds[index]!;
      if (off <= 1) return;
      wrong++;
      const factor = Number.isNaN(off) ? Number.POSITIVE_INFINITY : off;
      if (factor > worst.factor) worst = { index, factor };
    });
    if (wrong === 0) return undefined;
    const { index } = worst;
    const allowed = bounds[index]!.toPrecision(3);
    return (
      `element ${index} is ${actual[index]}, expected ${expected[index]} within ${allowed} ` +
      `(${wrong} of ${expected.length} elements are off)`
    );
  };
}

/** Judges what has one right answer: integers, and bits. */
export function judgeExactly(expected: Elements): Judge {
  return (actual) => {
    const shape = shapeFault(expected, actual);
    if (shape) return shape;
    const index = firstDifference(expected, actual);
    return index === -1
      ? undefined
      : `element ${index} is ${actual[index]}, expected exactly ${expected[index]}`;
  };
}

/** The first index at which two arrays differ in their bits; all NaN count as one. */
export function firstDifference(a: Elements, b: Elements): number {
  for (let i = 0; i < a.length; i++) if (!Object.is(a[i], b[i])) return i;
  return a.length === b.length ? -1 : a.length;
}

/** Undefined where `actual` has the type and the length of `expected`. */
export function shapeFault(expected: Elements, actual: Elements | undefined): string | undefined {
  if (actual?.constructor !== expected.constructor) {
    return `is ${actual === undefined ? 'missing' : `a ${actual.constructor.name}`}, expected a ${expected.constructor.name}`;
  }
  if (actual.length === expected.length) return undefined;
  return `has ${actual.length} elements, expected ${expected.length}`;
}
