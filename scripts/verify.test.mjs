import { join } from 'node:path';
import { expect, test } from 'vitest';
import { installAdvice, nodeFault } from './support/install.mjs';
import { repository } from './support/problems.mjs';
import { countTests } from './support/test-report.mjs';

test.each(['18.20.0', '20.18.3'])('Node %s is refused, with the version that is needed', (version) => {
  expect(nodeFault(version)).toMatch(/needs 20\.19 or newer/);
});

test.each(['20.19.0', '22.1.0'])('Node %s is accepted', (version) => {
  expect(nodeFault(version)).toBeUndefined();
});

test('a failed install is explained where its cause is known', () => {
  expect(installAdvice('npm error code EAI_AGAIN\nnpm error syscall getaddrinfo')).toMatch(
    /cannot reach its registry/,
  );
  expect(installAdvice('npm error code EUSAGE')).toMatch(/lockfile/);
  expect(installAdvice('npm error code E999')).toMatch(/npm ci/);
});

const result = (fullName, status, failureMessages = []) => ({ fullName, status, failureMessages });

test('tests are counted by what became of them; skipped ones keep their names', () => {
  const report = {
    testResults: [
      {
        name: join(repository, 'tests/a.test.ts'),
        status: 'failed',
        message: '',
        assertionResults: [
          result('adds', 'passed'),
          result('divides', 'failed', ['Error: by zero']),
          result('reads (needs ../shared/models)', 'skipped'),
          result('later', 'todo'),
        ],
      },
    ],
  };
  expect(countTests(report)).toEqual({
    passed: 1,
    failed: ['tests/a.test.ts: divides\nError: by zero'],
    skipped: ['tests/a.test.ts: reads (needs ../shared/models)', 'tests/a.test.ts: later'],
  });
});

test('a file that cannot be loaded counts as a failure', () => {
  const file = {
    name: join(repository, 'tests/b.test.ts'),
    status: 'failed',
    message: 'no such export',
    assertionResults: [],
  };
  expect(countTests({ testResults: [file] }).failed).toEqual([
    'tests/b.test.ts: could not be run\nno such export',
  ]);
});
