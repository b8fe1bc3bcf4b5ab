import { describe, expect, it } from 'vitest';
import { ApplicationFolder } from '../../../../tests/support/backend-package.js';
import { knownBackends } from '../backends.js';
import { checkBackends, checkMemory, checkNode, checkProcessor } from './checks.js';

describe('doctor', () => {
  it.each([
    ['20.19.0', 'ok'],
    ['20.20.1', 'ok'],
    ['24.0.0', 'ok'],
    ['20.18.9', 'fail'],
    ['18.20.0', 'fail'],
  ])('takes Node %s as %s', (version, status) => {
    expect(checkNode(version).status).toBe(status);
  });

  it('says what to do about little memory', () => {
    expect(checkMemory(2 ** 34, 2 ** 35)).toEqual({
      name: 'memory',
      status: 'ok',
      found: '16 GiB free of 32 GiB',
    });
    expect(checkMemory(2 ** 20, 2 ** 35)).toMatchObject({ status: 'warn', advice: expect.any(String) });
    expect(checkMemory().found).toMatch(/free of/);
  });

  it('names the processor and its threads', () => {
    expect(checkProcessor()).toMatchObject({ status: 'ok', found: expect.stringMatching(/\d+ threads/) });
  });

  it('warns where there is no device backend, and where one cannot run', async () => {
    const application = new ApplicationFolder();
    const lastResort = knownBackends.filter((backend) => backend.lastResort);
    try {
      application.dependsOn([]);
      expect(await checkBackends(application.root, lastResort)).toEqual([
        expect.objectContaining({ name: 'backend reference', status: 'ok' }),
        expect.objectContaining({ name: 'backends', status: 'warn', found: 'none for a device' }),
      ]);
      application.dependsOn(['their-backend']);
      application.addBackend('their-backend', 'theirs');
      expect(await checkBackends(application.root, lastResort)).toEqual([
        expect.objectContaining({ name: 'backend reference', status: 'ok' }),
        expect.objectContaining({ name: 'backend theirs', status: 'warn', found: 'only a test' }),
      ]);
    } finally {
      application.remove();
    }
  });
});
