import { describe, expect, it } from 'vitest';
import { isPocketError, PocketError } from './errors.js';

describe('PocketError', () => {
  it('says code, facts and what to do next', () => {
    const error = new PocketError('CONTEXT_OVERFLOW', { promptTokens: 300, maxModelLen: 256 });
    expect(error.message).toBe(
      'CONTEXT_OVERFLOW: promptTokens: 300; maxModelLen: 256. ' +
        'Shorten the prompt, or raise --max-model-len where the model allows it.',
    );
  });

  it('leaves out facts that are absent, and lists lists', () => {
    const none = new PocketError('BACKEND_NOT_FOUND', { wanted: 'cuda', available: [] });
    expect(none.message).toContain('available: none.');
    const two = new PocketError('BACKEND_AMBIGUOUS', { candidates: ['a', 'b'] });
    expect(two.message).toContain('candidates: a, b.');
  });

  it('shows characters that steer a terminal as text', () => {
    const path = 'a\u001b[2J\u202eb\n';
    const error = new PocketError('MODEL_NOT_FOUND', { path, reason: 'gone' });
    expect(error.message).toContain('a\\u{1b}[2J\\u{202e}b\\u{a}');
    expect(error.details.path).toBe(path);
  });
});

describe('isPocketError', () => {
  const error = new PocketError('CLOSED', { what: 'the model' });

  it('tells codes apart', () => {
    expect(isPocketError(error)).toBe(true);
    expect(isPocketError(error, 'CLOSED')).toBe(true);
    expect(isPocketError(error, 'CANCELLED')).toBe(false);
  });

  it('knows the error of another copy of this package by its mark', () => {
    const foreign = Object.assign(new Error('CLOSED'), {
      code: 'CLOSED',
      [Symbol.for('pocketllm.error')]: true,
    });
    expect(isPocketError(foreign, 'CLOSED')).toBe(true);
  });

  it.each([null, undefined, 'CLOSED', new Error('CLOSED'), { code: 'CLOSED' }])('refuses %o', (other) => {
    expect(isPocketError(other)).toBe(false);
  });
});
