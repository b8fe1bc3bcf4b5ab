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

it('leaves other errors as they are', () => {
  const mistake = new TypeError('a mistake');
  expect(typedFailure(mistake, 3)).toBe(mistake);
  expect(typedFailure(undefined, 3)).toBe(undefined);
});
