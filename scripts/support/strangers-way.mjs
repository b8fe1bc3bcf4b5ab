// @ts-check
// What checks have in common that go a stranger's way: an empty folder, packed packages, npm.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runNpm } from './run.mjs';

/** @typedef {import('./packages.mjs').Package} Package */
/** @typedef {import('./run.mjs').Outcome} Outcome */

/** What the model that comes with the command is asked, and what it has to say. */
export const question = 'What is the capital of Norway?';
const answer = 'Oslo';

/** Something that keeps the way from going on. */
export class Fault extends Error {}

/**
 * Goes a way in a new folder, which is removed afterwards. A Fault on it is the problem of the check.
 *
 * @param {string} prefix of the folder's name
 * @param {(folder: string) => Promise<string>} follow gives the summary
 */
export async function followIn(prefix, follow) {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  try {
    return { problems: [], summary: await follow(folder) };
  } catch (fault) {
    if (!(fault instanceof Fault)) throw fault;
    return { problems: [fault.message], summary: '' };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What npm pack calls a tarball. @param {Package['manifest']} manifest */
export const tarballOf = ({ name, version }) => `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;

/**
 * A package of this repository, and those that it cannot do without.
 *
 * @param {string} name
 * @param {Package[]} packages
 */
export function withDependencies(name, packages) {
  const manifests = new Map(packages.map(({ manifest }) => [manifest.name, manifest]));
  const needed = new Set([name]);
  for (const each of needed) {
    for (const next of Object.keys(manifests.get(each)?.dependencies ?? {})) {
      if (manifests.has(next)) needed.add(next);
    }
  }
  return [...needed].flatMap((each) => manifests.get(each) ?? []);
}

/** Packages of PocketLLM come out of tarballs, not out of a registry. @param {string} lock npm's list of what it installed */
export function faultsOfOrigin(lock) {
  /** @type {{ packages: Record<string, { resolved?: string }> }} */
  const { packages } = JSON.parse(lock);
  return Object.entries(packages)
    .filter(([path]) => /node_modules\/(@pocketllm\/|pocketllm)[^/]*$/.test(path))
    .filter(([, { resolved }]) => !resolved?.startsWith('file:'))
    .map(([path, { resolved }]) => `${path} comes from ${resolved}, not from a tarball`);
}

/** @param {string} result of `pocketllm run --json` @param {string} backend */
export function faultsOfAnswer(result, backend) {
  const { text, backend: ranOn } = JSON.parse(result);
  if (ranOn !== backend) return [`pocketllm run --backend ${backend} ran on ${ranOn}`];
  return text.includes(answer) ? [] : [`pocketllm run --backend ${backend} says: ${text}`];
}

/** @param {string[]} faults */
export function stopAt(faults) {
  if (faults.length > 0) throw new Fault(faults.join('\n'));
}

/**
 * @param {string} cwd
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 */
export function npm(cwd, args, env = {}) {
  const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
  return done(runNpm([...quiet, ...args], { cwd, minutes: 10, env }), `npm ${args.join(' ')}`);
}

/** @param {Promise<Outcome>} running @param {string} what */
export async function done(running, what) {
  const outcome = await running;
  if (!outcome.ok) throw new Fault(`${what}\n${outcome.output}`);
  return outcome;
}
