import { describe, expect, it } from 'vitest';
import {
  attributeMismatch,
  choice,
  float,
  integerOrOff,
  positiveFloat,
  positiveInteger,
  withDefault,
} from './attribute-spec.js';

describe('attributeMismatch', () => {
  it.each([
    [float, -0.5],
    [positiveFloat, 1e-30],
    [positiveInteger, 1],
    [integerOrOff, 0],
    [choice('a', 'b'), 'b'],
  ] as const)('lets %j be %j', (spec, value) => {
    expect(attributeMismatch(spec, value)).toBeUndefined();
  });

  it.each([
    [float, Number.NaN, 'a finite number'],
    [float, '1', 'a finite number'],
    [positiveFloat, 0, 'a number above 0'],
    [positiveFloat, Number.POSITIVE_INFINITY, 'a finite number'],
    [positiveInteger, 0, 'an integer of at least 1'],
    [positiveInteger, 1.5, 'an integer of at least 1'],
    [integerOrOff, -1, 'an integer of at least 0'],
    [choice('a', 'b'), 'c', 'one of a, b'],
    [choice('a', 'b'), undefined, 'one of a, b'],
  ] as const)('does not let %j be %j', (spec, value, expected) => {
    expect(attributeMismatch(spec, value)).toBe(expected);
  });

  it('keeps the kind of a spec that gets a default', () => {
    expect(withDefault(positiveInteger, 4)).toEqual({ type: 'integer', from: 1, default: 4 });
  });
});
