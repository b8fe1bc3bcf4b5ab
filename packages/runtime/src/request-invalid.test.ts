import { describe, expect, it } from 'vitest';
import { requestInvalid } from './request-invalid.js';

describe('requestInvalid', () => {
  it('names the field, what was expected and what was found, in the error and in its message', () => {
    const error = requestInvalid('temperature', 'a number from 0 to 2', '-1');
    expect(error).toMatchObject({
      code: 'REQUEST_INVALID',
      details: { field: 'temperature', expected: 'a number from 0 to 2', found: '-1' },
    });
    for (const part of ['temperature', 'a number from 0 to 2', '-1']) expect(error.message).toContain(part);
  });
});
