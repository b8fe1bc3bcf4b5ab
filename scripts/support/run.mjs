// @ts-check
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './problems.mjs';

/**
 * What a command came to: `output` is stdout and stderr as they came, `stdout` the first alone.
 *
 * @typedef {{ ok: boolean, output: string, stdout: string, seconds: number }} Outcome
 */

/** No tool reports home or draws progress into a log. */
const quietly = {
  ...process.env,
  TURBO_TELEMETRY_DISABLED: '1',
  DO_NOT_TRACK: '1',
  NO_COLOR: '1',
  FORCE_COLOR: undefined,
};

/**
 * Runs Node, or another `program`, with `args` from the repository's root and keeps what it prints. Ended after
 * `minutes`.
 *
 * @param {string[]} args
 * @param {{ minutes?: number, cwd?: string, program?: string, env?: Record<string, string> }} [options]
 * @returns {Promise<Outcome>}
 */
export function runNode(args, { minutes = 15, cwd = repository, program = process.execPath, env = {} } = {}) {
  const started = performance.now();
  const child = spawn(program, args, { cwd, env: { ...quietly, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const timer = setTimeout(() => child.kill(), minutes * 60_000);
  let output = '';
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      const seconds = (performance.now() - started) / 1000;
      if (code === null) output += `\nEnded after ${minutes} minutes.`;
      resolve({ ok: code === 0, output: output.trim(), stdout, seconds });
    });
  });
}

/**
 * Runs the command of an installed package: `runTool('typescript', 'tsc', ['--version'])`.
 *
 * @param {string} packageName
 * @param {string} command
 * @param {string[]} args
 * @param {{ minutes?: number, cwd?: string }} [options]
 */
export function runTool(packageName, command, args, options) {
  const folder = join(repository, 'node_modules', packageName);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return runNode([join(folder, typeof bin === 'string' ? bin : bin[command]), ...args], options);
}

/**
 * Runs npm: the one that runs this script, else the one that came with Node.
 *
 * @param {string[]} args
 * @param {{ minutes?: number, cwd?: string, env?: Record<string, string> }} [options]
 */
export function runNpm(args, options) {
  return runNode([npmEntry(), ...args], options);
}

function npmEntry() {
  const running = process.env.npm_execpath;
  if (running?.endsWith('npm-cli.js')) return running;
  const beside = process.platform === 'win32' ? 'node_modules' : '../lib/node_modules';
  return join(process.execPath, '..', beside, 'npm/bin/npm-cli.js');
}
