// @ts-check
// npm run verify: from a fresh clone to a verdict. Installs, checks (with the build), tries the backend template and the
// prebuilt native code as a stranger would, runs native code under sanitizers and on emulated processors, runs every
// test, and ends with a line that counts them: "N passed, N failed, N skipped". Needs Node and npm only.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runChecks } from './check.mjs';
import { install } from './support/install.mjs';
import { repository } from './support/problems.mjs';
import { runNode, runTool } from './support/run.mjs';
import { reportStep } from './support/step-report.mjs';
import { countTests } from './support/test-report.mjs';

/** Each goes from the packed packages to an answer, in an empty folder. */
const strangersWays = [
  { name: 'backend template', script: 'check-template.mjs' },
  { name: 'prebuilt native code', script: 'check-prebuilt.mjs' },
];

/** Native code where the tests do not take it. Each says `skipped: WHY` where that cannot be. */
const nativeSteps = [
  { name: 'sanitizers', script: 'sanitize.mjs' },
  { name: 'other processors', script: 'emulate.mjs' },
];

/** @returns {Promise<'passed' | 'failed' | 'skipped'>} */
async function runNativeStep(/** @type {{ name: string, script: string }} */ { name, script }) {
  let skipped = false;
  const ok = await reportStep(name, async () => {
    const outcome = await runNode([join(repository, 'packages/backend-cpu/scripts', script)]);
    skipped = outcome.output.startsWith('skipped: ');
    return outcome;
  });
  return skipped ? 'skipped' : ok ? 'passed' : 'failed';
}

/** Runs all tests, prints what failed and what was skipped, and counts them. */
async function runTests() {
  const folder = mkdtempSync(join(tmpdir(), 'pocketllm-verify-'));
  try {
    const file = join(folder, 'report.json');
    let printed = '';
    const ok = await reportStep('test', async () => {
      const args = ['run', '--reporter=json', `--outputFile=${file}`];
      const outcome = await runTool('vitest', 'vitest', args, { minutes: 25 });
      printed = outcome.output;
      return { ...outcome, output: existsSync(file) ? '' : printed };
    });
    if (!existsSync(file)) return { passed: 0, failed: 1, skipped: 0 };
    const { passed, failed, skipped } = countTests(JSON.parse(readFileSync(file, 'utf8')));
    for (const test of failed) process.stdout.write(`\nFAILED ${test.split('\n').slice(0, 15).join('\n')}\n`);
    if (skipped.length > 0)
      process.stdout.write(`\nSkipped:\n${skipped.map((test) => `  ${test}\n`).join('')}\n`);
    // An error outside any test fails the run and no test.
    if (!ok && failed.length === 0) process.stdout.write(`\nNo test failed, and the run did:\n${printed}\n`);
    return { passed, failed: Math.max(failed.length, ok ? 0 : 1), skipped: skipped.length };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (await install()) {
  const checks = await runChecks();
  for (const { name, script } of strangersWays) {
    const run = () => runNode([join(repository, 'scripts', script)]);
    checks[(await reportStep(name, run)) ? 'passed' : 'failed']++;
  }
  const counts = { skipped: 0, ...checks };
  for (const step of nativeSteps) counts[await runNativeStep(step)]++;
  const tests = await runTests();
  const failed = counts.failed + tests.failed;
  const left = counts.skipped + tests.skipped;
  const skipped = left > 0 ? `, ${left} skipped` : '';
  process.stdout.write(`${counts.passed + tests.passed} passed, ${failed} failed${skipped}\n`);
  process.exitCode = failed === 0 ? 0 : 1;
} else {
  process.stdout.write('0 passed, 1 failed\n');
  process.exitCode = 1;
}
