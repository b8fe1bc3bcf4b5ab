// @ts-check
// A stranger's backend, as it goes for a stranger: examples/backend-template away from this repository, with nothing
// of it but the packages as they are packed. It builds and passes the conformance kit, by the kit's command and, with
// the additions of docs/guides/write-a-backend.md, in a test runner; an application that depends on it lists it, and
// the model that comes with the command answers on it.
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { faultsOfVersions } from './check-packages.mjs';
import { readText } from './support/files.mjs';
import { applyEdit, guideFiles } from './support/guide-files.mjs';
import { readManifest, readPublicPackages } from './support/packages.mjs';
import { repository, runAsCommand } from './support/problems.mjs';
import { runNode } from './support/run.mjs';
import {
  done,
  Fault,
  faultsOfAnswer,
  faultsOfOrigin,
  followIn,
  npm,
  question,
  stopAt,
  tarballOf,
  withDependencies,
} from './support/strangers-way.mjs';

/** @typedef {import('./support/packages.mjs').Package} Package */

const template = 'examples/backend-template';
const guide = 'docs/guides/write-a-backend.md';
/** What installing and working leave in a folder. */
const leftovers = new Set(['node_modules', 'dist', 'package-lock.json', 'report.json']);

/** @param {string} root */
export async function checkTemplate(root) {
  return followIn('pocketllm-template-', (folder) => follow(root, folder));
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

await runAsCommand(import.meta.url, checkTemplate);
