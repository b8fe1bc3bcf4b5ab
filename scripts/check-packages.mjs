// @ts-check
// Looks at every published package as npm would ship it, after a build: what package.json promises is in it,
// can be loaded by plain Node, and carries its licence.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { readText } from './support/files.mjs';
import { readPackages, readPublicPackages } from './support/packages.mjs';
import { runAsCommand } from './support/problems.mjs';
import { runNode, runNpm, runTool } from './support/run.mjs';

/** @typedef {import('./support/packages.mjs').Package} Package */

/** The condition under which the packages of this repository find each other's source; not shipped. */
const sourceCondition = 'pocketllm-source';

const dependencyFields = /** @type {const} */ ([
  'dependencies',
  'devDependencies',
  'peerDependencies',
  'optionalDependencies',
]);

/** What a backend runs; stands beside its package.json. */
const capabilities = 'pocketllm.backend.json';

/** @param {string} root */
export async function checkPackages(root) {
  const all = readPackages(root);
  const shipped = readPublicPackages(root);
  const versions = new Map(all.map(({ manifest }) => [manifest.name, manifest.version]));

  const names = shipped.flatMap(({ manifest }) => ['--workspace', manifest.name]);
  const packed = await runNpm(['pack', '--dry-run', '--json', ...names], { cwd: root });
  if (!packed.ok) return { problems: packed.output.split('\n'), summary: '' };

  const lock = JSON.parse(readText(root, 'package-lock.json'));
  const problems = all.flatMap((entry) =>
    faultsOfLock(entry, lock).map((fault) => `${entry.folder}: ${fault}`),
  );
  let files = 0;
  /** @type {{ name: string, files: { path: string }[] }[]} */
  const contents = JSON.parse(packed.stdout);
  for (const entry of shipped) {
    const paths = (contents.find(({ name }) => name === entry.manifest.name)?.files ?? []).map(
      ({ path }) => path,
    );
    files += paths.length;
    const faults = [...faultsOfContent(root, entry, paths), ...faultsOfVersions(entry, versions)];
    if (faults.length === 0) faults.push(...(await faultsOfLoading(root, entry)));
    problems.push(...faults.map((fault) => `${entry.folder}: ${fault}`));
  }
  problems.push(...(await faultsOfTypes(root, shipped.flatMap(specifiersOf))));
  return { problems, summary: `${shipped.length} packages, ${files} files` };
}

/** What an application imports of a package: its name, and its name with each further module. @param {Package} entry */
function specifiersOf({ manifest }) {
  return Object.entries(manifest.exports ?? {})
    .filter(([, target]) => (typeof target === 'string' ? target : target.default)?.endsWith('.js'))
    .map(([path]) => posix.join(manifest.name, path));
}

/** @param {string} root @param {Package} entry @param {string[]} paths of the files that npm would ship */
export function faultsOfContent(root, { folder, manifest }, paths) {
  const faults = [];
  if (!paths.includes('LICENSE'))
    faults.push('ships no LICENSE (its prepack runs scripts/pack-extras.mjs add)');
  if (!paths.includes('README.md')) faults.push('ships no README.md');
  for (const promised of manifest.files ?? []) {
    if (!paths.some((path) => path === promised || path.startsWith(`${promised}/`))) {
      faults.push(`names ${promised} in files, and ships nothing there`);
    }
  }
  for (const target of promisedFiles(manifest)) {
    if (!paths.includes(target)) faults.push(`points at ${target}, which is not shipped`);
  }
  if (manifest.pocketllm !== undefined && !paths.includes(capabilities))
    faults.push(`ships no ${capabilities}`);
  if (manifest.pocketllm === undefined && existsSync(join(root, folder, capabilities))) {
    faults.push(`has ${capabilities} and no pocketllm field in package.json, so no application finds it`);
  }
  for (const path of paths.filter((name) => /\.test\.|\.tsbuildinfo$/.test(name)))
    faults.push(`ships ${path}`);
  for (const name of ['preinstall', 'install', 'postinstall']) {
    if (manifest.scripts?.[name]) faults.push(`runs a script when it is installed: ${name}`);
  }
  if (paths.some((path) => /^[^/]+\.gyp$/.test(path)))
    faults.push('ships a .gyp file at its top, which npm compiles when it is installed');
  for (const path of paths.filter((name) => name.endsWith('.js'))) {
    const map = /^\/\/# sourceMappingURL=(.+)$/m.exec(readText(root, `${folder}/${path}`))?.[1];
    if (map !== undefined && !paths.includes(posix.join(posix.dirname(path), map))) {
      faults.push(`${path} names the source map ${map}, which is not shipped`);
    }
  }
  for (const path of paths.filter((name) => name.endsWith('.js.map'))) {
    const { sources, sourcesContent = [] } = JSON.parse(readText(root, `${folder}/${path}`));
    for (const [index, source] of sources.entries()) {
      const shipped = paths.includes(posix.join(posix.dirname(path), source));
      if (!shipped && typeof sourcesContent[index] !== 'string')
        faults.push(`${path} maps to ${source}, which is not shipped`);
    }
  }
  return faults;
}

/** Files that package.json points at. @param {Package['manifest']} manifest */
function promisedFiles(manifest) {
  const exported = Object.values(manifest.exports ?? {}).flatMap((target) =>
    typeof target === 'string'
      ? [target]
      : Object.entries(target).flatMap(([condition, path]) => (condition === sourceCondition ? [] : [path])),
  );
  const backend = manifest.pocketllm === undefined ? [] : [manifest.pocketllm.backend];
  return [...exported, ...backend, ...Object.values(manifest.bin ?? {})].map((path) => posix.normalize(path));
}

/** Packages of one release need each other. @param {Package} entry @param {Map<string, string>} versions */
export function faultsOfVersions({ manifest }, versions) {
  return Object.entries({ ...manifest.dependencies, ...manifest.peerDependencies }).flatMap(
    ([name, range]) => {
      const version = versions.get(name);
      if (version === undefined || range === version || range === `^${version}`) return [];
      return [`depends on ${name} ${range}, which is ${version} here`];
    },
  );
}

/**
 * A lockfile that lags behind stops `npm ci`, and nothing else does.
 *
 * @param {Package} entry
 * @param {{ packages: Record<string, any> }} lock
 */
export function faultsOfLock({ folder, manifest }, lock) {
  const locked = lock.packages[folder];
  if (locked === undefined) return ['is not in package-lock.json; run npm install'];
  return dependencyFields
    .filter((field) => !isDeepStrictEqual(manifest[field] ?? {}, locked[field] ?? {}))
    .map((field) => `${field} differ from package-lock.json; run npm install`);
}

/** @param {string} root @param {Package} entry */
export async function faultsOfLoading(root, entry) {
  const { folder, manifest } = entry;
  const cwd = join(root, folder);
  const script = specifiersOf(entry)
    .map((specifier) => `await import(${JSON.stringify(specifier)});`)
    .join('\n');
  const loaded = await runNode(['--input-type=module', '--eval', script], { cwd });
  const faults = loaded.ok ? [] : [`cannot be loaded:\n${loaded.output}`];
  if (loaded.output !== '' && loaded.ok) faults.push(`prints when it is loaded:\n${loaded.output}`);

  for (const [name, path] of Object.entries(manifest.bin ?? {})) {
    const started = await runNode([path, '--version'], { cwd });
    if (!started.ok || started.stdout.trim() !== manifest.version) {
      faults.push(`${name} --version should print ${manifest.version}, and prints:\n${started.output}`);
    }
  }
  return faults;
}

/**
 * Compiles a module that imports everything, as an application would: shipped declarations, strict, their own
 * text checked too.
 *
 * @param {string} root
 * @param {string[]} specifiers
 */
export async function faultsOfTypes(root, specifiers) {
  const folder = join(root, 'node_modules/.cache/pocketllm-types');
  mkdirSync(folder, { recursive: true });
  const module = join(folder, 'application.mts');
  const imports = specifiers.map((specifier, index) => `import * as module${index} from '${specifier}';\n`);
  writeFileSync(module, imports.join(''));
  const options = '--noEmit --strict --module nodenext --target es2023 --lib es2023,esnext.disposable,dom';
  const { ok, stdout } = await runTool('typescript', 'tsc', [...options.split(' '), module], { cwd: root });
  return ok ? [] : stdout.trim().split('\n');
}

await runAsCommand(import.meta.url, checkPackages);
