// @ts-check
// npm run check: every check that a change has to pass before its tests, one line each.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { repository } from './support/problems.mjs';
import { runNode, runTool } from './support/run.mjs';
import { reportStep } from './support/step-report.mjs';

/** @typedef {import('./support/run.mjs').Outcome} Outcome */

const own = (/** @type {string} */ name) => runNode([join(repository, 'scripts', name)]);
const types = (/** @type {string} */ config) => {
  const memory = `node_modules/.cache/${config}.tsbuildinfo`;
  return runTool('typescript', 'tsc', ['-p', config, '--incremental', '--tsBuildInfoFile', memory]);
};

/** In order; what is quick comes first. @type {{ name: string, run: () => Promise<Outcome> }[]} */
const steps = [
  {
    name: 'format and lint',
    run: () =>
      runTool('@biomejs/biome', 'biome', [
        'ci',
        '--colors=off',
        '--error-on-warnings',
        '--diagnostic-level=warn',
        '.',
      ]),
  },
  { name: 'layout', run: () => own('check-layout.mjs') },
  { name: 'sizes', run: () => own('check-sizes.mjs') },
  { name: 'duplicates', run: () => own('check-duplicates.mjs') },
  { name: 'docs', run: () => own('check-docs.mjs') },
  ...['check-generated.mjs']
    .filter((name) => existsSync(join(repository, 'scripts', name)))
    .map((name) => ({ name: 'generated files', run: () => own(name) })),
  { name: 'changesets', run: () => own('check-changesets.mjs') },
  { name: 'types', run: () => types('tsconfig.json') },
  { name: 'types, browser', run: () => types('tsconfig.browser.json') },
  { name: 'types, page', run: () => types('packages/server/page/tsconfig.json') },
  { name: 'types, page tests', run: () => types('packages/server/page/tsconfig.tests.json') },
  {
    name: 'api docs',
    run: () =>
      runTool('typedoc', 'typedoc', ['--emit', 'none', '--treatWarningsAsErrors', '--logLevel', 'Warn']),
  },
  { name: 'build', run: () => runTool('turbo', 'turbo', ['run', 'build', '--output-logs=errors-only']) },
  { name: 'packages', run: () => own('check-packages.mjs') },
];

/** Runs all checks, prints a line for each, and counts them. */
export async function runChecks() {
  const count = { passed: 0, failed: 0 };
  for (const { name, run } of steps) {
    count[(await reportStep(`check  ${name}`, run)) ? 'passed' : 'failed']++;
  }
  return count;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { passed, failed } = await runChecks();
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  process.exitCode = failed === 0 ? 0 : 1;
}
