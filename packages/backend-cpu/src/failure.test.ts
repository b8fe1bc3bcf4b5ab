import { expect, it } from 'vitest';
import { typedFailure } from './failure.js';

it('turns exhausted memory into OUT_OF_MEMORY with the numbers', () => {
  const native = Object.assign(new Error('out of memory'), {
    code: 'OUT_OF_MEMORY',
    what: 'weights',
    wanted: 5,
  });
  expect(typedFailure(native, 3)).toMatchObject({
    code: 'OUT_OF_MEMORY',
    details: { what: 'weights', wanted: 5, available: 3 },
  });
  expect(typedFailure(Object.assign(native, { available: 2 }), 3)).toMatchObject({
    details: { available: 2 },
  });
});

it('says which operand of encode has a number that it cannot take', () => {
  const native = Object.assign(new Error('a number is refused'), { code: 'NUMBER_REFUSED', column: 7 });
  expect(typedFailure(Object.assign(native, { op: 'encode', value: Number.NaN }), 3)).toMatchObject({
    code: 'REQUEST_INVALID',
    details: { field: 'x', expected: 'finite numbers', found: 'NaN in column 7' },
  });
  expect(typedFailure(Object.assign(native, { op: 'relative_importance', value: -1 }), 3)).toMatchObject({
    details: { field: 'importance', expected: 'finite numbers of at least 0', found: '-1 in column 7' },
  });
});

it('leaves other errors as they are', () => {
  const mistake = new TypeError('a mistake');
  expect(typedFailure(mistake, 3)).toBe(mistake);
  expect(typedFailure(undefined, 3)).toBe(undefined);
});
