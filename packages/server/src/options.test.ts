import type { Model } from '@pocketllm/runtime';
import { describe, expect, it } from 'vitest';
import { checkHost, isLoopback, settle } from './options.js';

const named = (name: string) => ({ info: { name, maxModelLen: 32_768 } }) as Pick<Model, 'info'>;

describe('options', () => {
  it('name the model after its file, fit for a URL', () => {
    expect(settle({}, named('Qwen3 0.6B (chat)/x')).modelName).toBe('Qwen3-0.6B-chat-x');
    expect(settle({}, named('???')).modelName).toBe('model');
    expect(settle({ modelName: 'mine' }, named('x')).modelName).toBe('mine');
  });

  it('let a body be as large as the context may need', () => {
    expect(settle({}, named('x')).maxBodyBytes).toBe(2 ** 21);
    expect(settle({ maxBodyBytes: 10 }, named('x')).maxBodyBytes).toBe(10);
  });

  it.each([
    ['maxQueue', { maxQueue: -1 }],
    ['maxBodyBytes', { maxBodyBytes: 0.5 }],
    ['modelName', { modelName: '' }],
    ['apiKey', { apiKey: '' }],
    ['apiKey', { apiKey: 'with blank' }],
  ])('refuse a %s that cannot be', (field, options) => {
    expect(() => settle(options, named('x'))).toThrow(
      expect.objectContaining({ code: 'REQUEST_INVALID', details: expect.objectContaining({ field }) }),
    );
  });
});

describe('the host', () => {
  it.each(['localhost', '127.0.0.1', '127.1.2.3', '::1', '[::1]'])('%s needs no key', (host) => {
    expect(isLoopback(host)).toBe(true);
    expect(() => checkHost(host, { apiKey: undefined })).not.toThrow();
  });

  it.each(['0.0.0.0', '::', '192.168.0.1', 'example.org', '127.0.0.1.example.org', ''])(
    '%j needs a key',
    (host) => {
      expect(isLoopback(host)).toBe(false);
      expect(() => checkHost(host, { apiKey: undefined })).toThrow(/REQUEST_INVALID/);
      expect(() => checkHost(host, { apiKey: 'secret' })).not.toThrow();
    },
  );
});
