// @ts-check
// A stranger's backend, as it goes for a stranger: examples/backend-template away from this repository, with nothing
// of it but the packages as they are packed. It builds and passes the conformance kit, by the kit's command and, with
// the additions of docs/guides/write-a-backend.md, in a test runner; an application that depends on it lists it, and
// the model that comes with the command answers on it.
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { faultsOfVersions } from './check-packages.mjs';
import { readText } from './support/files.mjs';
import { applyEdit, guideFiles } from './support/guide-files.mjs';
import { readManifest, readPublicPackages } from './support/packages.mjs';
import { repository, runAsCommand } from './support/problems.mjs';
import { runNode, runNpm } from './support/run.mjs';

/** @typedef {import('./support/packages.mjs').Package} Package */
/** @typedef {import('./support/run.mjs').Outcome} Outcome */

const template = 'examples/backend-template';
const guide = 'docs/guides/write-a-backend.md';
/** What installing and working leave in a folder. */
const leftovers = new Set(['node_modules', 'dist', 'package-lock.json', 'report.json']);
const question = 'What is the capital of Norway?';
const answer = 'Oslo';

/** Something that keeps the way from going on. */
class Fault extends Error {}

/** @param {string} root */
export async function checkTemplate(root) {
  const folder = mkdtempSync(join(tmpdir(), 'pocketllm-template-'));
  try {
    return { problems: [], summary: await follow(root, folder) };
  } catch (fault) {
    if (!(fault instanceof Fault)) throw fault;
    return { problems: [fault.message], summary: '' };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} root @param {string} folder an empty one, outside of it */
async function follow(root, folder) {
  const packages = readPublicPackages(root);
  const manifest = readManifest(root, `${template}/package.json`);
  stopAt(faultsOfDependencies(manifest, packages));
  await done(runNode([join(repository, 'scripts/release-pack.mjs')]), 'npm run release:pack');
  const tarballs = (/** @type {string} */ name) =>
    withDependencies(name, packages).map((needed) => join(root, 'release', tarballOf(needed)));

  const backend = join(folder, 'backend');
  cpSync(join(root, template), backend, {
    recursive: true,
    filter: (path) => !leftovers.has(basename(path)),
  });
  const kit = tarballs('@pocketllm/conformance');
  await npm(backend, ['install', '--no-save', '--prefer-offline', ...kit]);
  stopAt(faultsOfOrigin(readText(backend, 'node_modules/.package-lock.json')));
  await npm(backend, ['run', 'build']);
  const passed = await testsPassedBy(backend);
  await npm(backend, ['pack', '--pack-destination', folder]);

  const application = join(folder, 'application');
  mkdirSync(application);
  await npm(application, ['init', '--yes']);
  const own = join(folder, tarballOf(manifest));
  await npm(application, ['install', '--prefer-offline', ...tarballs('pocketllm'), own]);
  stopAt(faultsOfOrigin(readText(application, 'node_modules/.package-lock.json')));
  const listing = await npm(application, ['exec', '--', 'pocketllm', 'backends', '--json']);
  const name = nameListed(listing.stdout, manifest.name);
  const flags = ['--backend', name, '--prompt', question, '--temperature', '0', '--no-think', '--json'];
  const run = await npm(application, ['exec', '--', 'pocketllm', 'run', ...flags]);
  stopAt(faultsOfAnswer(run.stdout, name));

  addWhatTheGuideAdds(readText(root, guide), backend);
  await npm(backend, ['test']);
  return `${passed} tests of the kit pass; an application lists ${name}, and it answers`;
}

/** @param {string} text of the guide @param {string} backend */
function addWhatTheGuideAdds(text, backend) {
  const { files, edits } = guideFiles(text);
  for (const [path, content] of files) writeFileSync(join(backend, path), content);
  for (const { path, diff } of edits)
    writeFileSync(join(backend, path), applyEdit(readText(backend, path), diff));
}

/** What npm pack calls a tarball. @param {Package['manifest']} manifest */
const tarballOf = ({ name, version }) => `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;

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

/**
 * The template asks for the versions that stand here.
 *
 * @param {Package['manifest']} manifest
 * @param {Package[]} packages
 */
export function faultsOfDependencies(manifest, packages) {
  const versions = new Map(packages.map(({ manifest: { name, version } }) => [name, version]));
  const dependencies = { ...manifest.dependencies, ...manifest.devDependencies };
  return faultsOfVersions({ folder: template, manifest: { ...manifest, dependencies } }, versions);
}

/** Runs the kit by its command. Of a report with failures only these are told. @param {string} backend */
async function testsPassedBy(backend) {
  const running = npm(backend, ['run', 'conformance']);
  const fault = await running.then(
    () => undefined,
    (error) => error,
  );
  if (!existsSync(join(backend, 'report.json'))) throw fault ?? new Fault('the kit wrote no report');
  const passed = testsPassed(readText(backend, 'report.json'));
  if (fault) throw fault;
  return passed;
}

/** How many tests a green report of the kit counts as passed. @param {string} text */
export function testsPassed(text) {
  /** @type {import('@pocketllm/conformance').Report} */
  const { passed, complete, counts, tests } = JSON.parse(text);
  if (!complete) throw new Fault('the conformance report leaves tests out');
  if (passed) return counts.passed;
  const failed = tests.filter(({ result }) => result === 'failed');
  const lines = failed.map(({ group, name, reason }) => `${[...group, name].join(' › ')}: ${reason}`);
  throw new Fault(`the conformance report is not green\n${lines.join('\n')}`);
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

/** The name of the backend that a package of the application holds. @param {string} listing @param {string} packageName */
export function nameListed(listing, packageName) {
  /** @type {{ package: string, name: string, origin: string, problem?: { message: string } }[]} */
  const backends = JSON.parse(listing);
  const found = backends.find((backend) => backend.package === packageName);
  if (found === undefined) throw new Fault(`pocketllm backends does not list ${packageName}`);
  if (found.problem) throw new Fault(`pocketllm backends: ${found.problem.message}`);
  if (found.origin !== 'application') throw new Fault(`${packageName} is listed as of the ${found.origin}`);
  return found.name;
}

/** @param {string} result of `pocketllm run --json` @param {string} backend */
export function faultsOfAnswer(result, backend) {
  const { text, backend: ranOn } = JSON.parse(result);
  if (ranOn !== backend) return [`pocketllm run --backend ${backend} ran on ${ranOn}`];
  return text.includes(answer) ? [] : [`pocketllm run --backend ${backend} says: ${text}`];
}

/** @param {string[]} faults */
function stopAt(faults) {
  if (faults.length > 0) throw new Fault(faults.join('\n'));
}

/** @param {string} cwd @param {string[]} args */
function npm(cwd, args) {
  const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
  return done(runNpm([...quiet, ...args], { cwd, minutes: 10 }), `npm ${args.join(' ')}`);
}

/** @param {Promise<Outcome>} running @param {string} what */
async function done(running, what) {
  const outcome = await running;
  if (!outcome.ok) throw new Fault(`${what}\n${outcome.output}`);
  return outcome;
}

await runAsCommand(import.meta.url, checkTemplate);
