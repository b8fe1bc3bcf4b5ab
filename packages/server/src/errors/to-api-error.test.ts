import { PocketError } from '@pocketllm/abi';
import { describe, expect, it } from 'vitest';
import { badRequest } from './api-error.js';
import { toApiError } from './to-api-error.js';

const told = (error: unknown) => {
  const { status, body } = toApiError(error);
  return { status, ...body.error };
};

describe('what a client is told', () => {
  it('of a prompt beyond the context is both counts', () => {
    const error = told(new PocketError('CONTEXT_OVERFLOW', { promptTokens: 70, maxModelLen: 64 }));
    expect(error).toMatchObject({ status: 400, code: 'context_length_exceeded', param: 'messages' });
    expect(error.message).toMatch(/64 .*70/);
  });

  it.each([
    ['logitBias[7]', 'logit_bias[7]'],
    ['topP', 'top_p'],
    ['messages[1].content', 'messages[1].content'],
    ['stop', 'stop'],
  ])('of %s names %s', (field, param) => {
    const error = new PocketError('REQUEST_INVALID', { field, expected: 'a number', found: 'none' });
    expect(told(error)).toMatchObject({
      status: 400,
      type: 'invalid_request_error',
      code: 'invalid_value',
      param,
    });
  });

  it('of a template that fails is its reason', () => {
    const error = new PocketError('TEMPLATE_FAILED', { reason: 'roles must alternate' });
    expect(told(error)).toMatchObject({ status: 400, code: 'template_failed' });
    expect(told(error).message).toContain('roles must alternate');
  });

  it('of a model that has too much to do is to come again', () => {
    const error = toApiError(new PocketError('QUEUE_FULL', { underWay: 40 }));
    expect(error).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
    expect(error.body.error).toMatchObject({ code: 'queue_full' });
  });

  it('of a closed model is to come again', () => {
    const error = toApiError(new PocketError('CLOSED', { what: 'the model' }));
    expect(error.status).toBe(503);
    expect(error.headers['retry-after']).toBe('5');
  });

  it('of any other failure is nothing of its insides', async () => {
    for (const error of [
      new Error('/secret/path'),
      'text',
      new PocketError('LOGITS_INVALID', { expected: 'a', found: 'b' }),
    ]) {
      expect(told(error)).toEqual({
        status: 500,
        message: 'The server failed to answer; its log says why.',
        type: 'server_error',
        param: null,
        code: 'internal_error',
      });
    }
  });

  it('is an error of the API as it stands', async () => {
    const error = badRequest('no', 'invalid_value', 'n');
    expect(toApiError(error)).toBe(error);
    const response = error.toResponse();
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      error: { message: 'no', type: 'invalid_request_error', param: 'n', code: 'invalid_value' },
    });
  });
});
