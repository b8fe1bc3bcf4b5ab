// @ts-check
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './problems.mjs';
import { runNpm } from './run.mjs';
import { reportStep } from './step-report.mjs';

/** Without a network, npm gives up after 20 seconds rather than 70. */
const quickRetries = ['--fetch-retries=3', '--fetch-retry-mintimeout=2000', '--fetch-retry-maxtimeout=10000'];

/** What npm's error codes mean for someone who has only cloned the repository. */
const causes = [
  {
    codes: [
      'ENOTFOUND',
      'EAI_AGAIN',
      'ECONNREFUSED',
      'ECONNRESET',
      'ETIMEDOUT',
      'ERR_SOCKET_TIMEOUT',
      'ENETUNREACH',
    ],
    advice: 'npm cannot reach its registry. Check the network, or a proxy (npm config get proxy).',
  },
  { codes: ['ENOSPC'], advice: 'The disk is full.' },
  {
    codes: ['EACCES', 'EPERM', 'EROFS'],
    advice: 'npm may not write here. Check who owns this folder and ~/.npm.',
  },
  {
    codes: ['EINTEGRITY'],
    advice: 'A downloaded package is damaged. Run `npm cache verify` and try again.',
  },
  {
    codes: ['EUSAGE'],
    advice: 'package.json and package-lock.json disagree. Run `npm install` and commit the lockfile.',
  },
];

/**
 * Why this version of Node cannot run the repository, or undefined where it can.
 *
 * @param {string} [version]
 */
export function nodeFault(version = process.versions.node) {
  const { engines } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [neededMajor = 0, neededMinor = 0] = engines.node.replace('>=', '').split('.').map(Number);
  if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) return undefined;
  return `This is Node ${version}; PocketLLM needs ${neededMajor}.${neededMinor} or newer (https://nodejs.org).`;
}

/** Advice on a failed install, from what npm printed; or a way on where the cause is not known. @param {string} output */
export function installAdvice(output) {
  const code = /npm (?:error|ERR!) code (\w+)/.exec(output)?.[1] ?? '';
  return causes.find(({ codes }) => codes.includes(code))?.advice ?? 'Run `npm ci` to see all that npm says.';
}

/** Installs exactly what package-lock.json names; prints the step's line, and what to do where it failed. */
export async function install() {
  const fault = nodeFault();
  if (fault !== undefined) {
    process.stdout.write(`${fault}\n`);
    return false;
  }
  return reportStep('install packages', async () => {
    const outcome = await runNpm(['ci', ...quickRetries, '--loglevel=error', '--no-progress']);
    if (outcome.ok) return { ...outcome, output: '' };
    // npm prints a stack, or the help of the command, after some errors.
    const start = outcome.output.split('\n').slice(0, 5).join('\n');
    return { ...outcome, output: `${start}\n\n${installAdvice(outcome.output)}` };
  });
}
