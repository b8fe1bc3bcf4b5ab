// @ts-check
// Prebuilt native code, as it goes for a stranger: an empty folder, the packed packages, no compiler. Without the
// package of the platform all installs, the reference answers, and the backend says what is missing, also after a
// build from source that failed. With it the backend answers, on each version of Node.
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readText } from './support/files.mjs';
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

const platform = `${process.platform}-${process.arch}`;
const native = '@pocketllm/backend-cpu';
const prebuilt = `${native}-${platform}`;
/** Versions of Node beside this one; npm has their programs as packages. */
const otherNodes = ['22.23.5', '24.22.3'];

/** @param {string} root */
export function checkPrebuilt(root) {
  return followIn('pocketllm-prebuilt-', (folder) => follow(root, folder));
}

/** @param {string} root @param {string} folder */
async function follow(root, folder) {
  await done(runNode([join(repository, 'scripts/release-pack.mjs')]), 'npm run release:pack');
  const tarball = (/** @type {{ name: string, version: string }} */ manifest) =>
    join(root, 'release', tarballOf(manifest));
  const tarballs = withDependencies('pocketllm', readPublicPackages(root)).map(tarball);
  const { version } = readManifest(root, 'packages/backend-cpu/package.json');

  await npm(folder, ['init', '--yes']);
  const installing = await npm(folder, ['install', '--prefer-offline', ...tarballs]);
  if (installing.output.includes('node-gyp')) throw new Fault(`npm install\n${installing.output}`);
  await expectReason(folder, [`the package ${prebuilt} is not installed`]);
  await expectAnswer(folder, 'reference');
  await npm(folder, ['explore', native, '--', 'npm', 'run', 'build:native'], { CXX: 'no-compiler' });
  const reason = reasonOfBuild(root);
  await expectReason(folder, reason === undefined ? ['no-compiler'] : ['no-compiler', reason]);
  if (reason !== undefined) {
    return 'installs without native code, which cannot be built here';
  }

  await npm(folder, ['install', '--prefer-offline', tarball({ name: prebuilt, version })]);
  stopAt(faultsOfOrigin(readText(folder, 'node_modules/.package-lock.json')));
  await expectAnswer(folder, 'cpu');
  const nodes = process.platform === 'linux' ? otherNodes : [];
  for (const node of nodes) await expectAnswer(folder, 'cpu', await installNode(folder, node));
  return `${prebuilt} answers on Node ${[process.versions.node, ...nodes].join(', ')}`;
}

/** Why the native part could not be built on this machine; what it lacks may be asked for before the compiler is. @param {string} root */
function reasonOfBuild(root) {
  const file = 'packages/backend-cpu/build/not-built.txt';
  return existsSync(join(root, file)) ? readText(root, file).trim() : undefined;
}

/** Runs the installed command. @param {string} folder @param {string[]} args @param {string} [program] of Node */
function pocketllm(folder, args, program = process.execPath) {
  const command = ['node_modules/pocketllm/bin/pocketllm.js', ...args];
  return done(runNode(command, { cwd: folder, program }), `${program} ${command.join(' ')}`);
}

/** @param {string} folder @param {string} backend @param {string} [program] */
async function expectAnswer(folder, backend, program) {
  const flags = ['--prompt', question, '--temperature', '0', '--no-think', '--json'];
  const { stdout } = await pocketllm(folder, ['run', '--backend', backend, ...flags], program);
  stopAt(faultsOfAnswer(stdout, backend));
}

/** @param {string} folder @param {string[]} expected parts, one of them of why there is no device */
async function expectReason(folder, expected) {
  const { stdout } = await pocketllm(folder, ['devices', '--json']);
  stopAt(faultsOfReason(stdout, expected));
}

/**
 * @param {string} listing of `pocketllm devices --json`
 * @param {string[]} expected parts, one of them of why the CPU backend has none
 */
export function faultsOfReason(listing, expected) {
  /** @type {{ backend: string, devices: object[], reason?: string }[]} */
  const backends = JSON.parse(listing);
  const cpu = backends.find(({ backend }) => backend === 'cpu');
  if (cpu === undefined) return ['pocketllm devices does not list cpu'];
  if (cpu.devices.length > 0) return ['the backend has devices without native code'];
  if (expected.some((part) => cpu.reason?.includes(part))) return [];
  return [`the reason is ${cpu.reason}, and lacks: ${expected.join(', or ')}`];
}

/** Gives the program. @param {string} folder @param {string} version */
async function installNode(folder, version) {
  const place = join(folder, `node-${version}`);
  mkdirSync(place);
  const name = `node-${platform}`;
  await npm(place, [
    'install',
    '--prefix',
    place,
    '--prefer-offline',
    '--ignore-scripts',
    `${name}@${version}`,
  ]);
  return join(place, 'node_modules', name, 'bin/node');
}

await runAsCommand(import.meta.url, checkPrebuilt);
