import { expect, test, vi } from 'vitest';
import {
  checkPackages,
  faultsOfContent,
  faultsOfLoading,
  faultsOfLock,
  faultsOfTypes,
  faultsOfVersions,
} from './check-packages.mjs';
import { listFiles } from './support/files.mjs';
import { withTree } from './support/temporary-tree.mjs';

// npm and tsc take seconds, on a busy machine many.
vi.setConfig({ testTimeout: 120_000 });

const manifest = {
  name: 'one',
  version: '1.0.0',
  type: 'module',
  files: ['out'],
  bin: { one: 'out/main.js' },
  exports: {
    '.': { 'pocketllm-source': './src/index.ts', types: './out/index.d.ts', default: './out/index.js' },
  },
};
const folder = 'packages/one';
const sound = {
  LICENSE: 'Free.',
  'README.md': '# one',
  'package.json': JSON.stringify(manifest),
  'out/index.js': 'export const one = 1;\n//# sourceMappingURL=index.js.map\n',
  'out/index.js.map': '{"sources":["../src/index.ts"],"sourcesContent":["export const one = 1;"]}',
  'out/index.d.ts': 'export declare const one = 1;\n',
  'out/main.js': "console.log('1.0.0');\n",
};

/** What an application would see of it. */
const installed = {
  'node_modules/one/package.json': sound['package.json'],
  'node_modules/one/out/index.d.ts': sound['out/index.d.ts'],
};

/** Hands `use` the root of a tree that holds the sound package with some files changed; undefined takes one away. */
function withPackage(changes, use) {
  const files = Object.entries({ ...sound, ...changes }).filter(([, text]) => text !== undefined);
  const root = {
    'package.json': JSON.stringify({ name: 'root', private: true, workspaces: ['packages/*'] }),
    'package-lock.json': JSON.stringify({ packages: { [folder]: {} } }),
  };
  return withTree(
    {
      ...root,
      ...installed,
      ...Object.fromEntries(files.map(([path, text]) => [`${folder}/${path}`, text])),
    },
    use,
  );
}

/** Faults of the content, as if npm shipped every file. */
const contentFaults = (changes, fields = {}) =>
  withPackage(changes, (root) => {
    const paths = listFiles(root, folder).map((path) => path.slice(folder.length + 1));
    return faultsOfContent(root, { folder, manifest: { ...manifest, ...fields } }, paths);
  });

const loadingFaults = (changes) =>
  withPackage(changes, (root) => faultsOfLoading(root, { folder, manifest }));

test('a sound package has no problems, and the source condition need not be shipped', async () => {
  expect(await withPackage({}, checkPackages)).toEqual({ problems: [], summary: '1 packages, 7 files' });
});

test('only what npm would ship counts', async () => {
  const unlisted = { 'package.json': JSON.stringify({ ...manifest, files: ['out/*.d.ts'], bin: {} }) };
  expect((await withPackage(unlisted, checkPackages)).problems).toContain(
    'packages/one: points at out/index.js, which is not shipped',
  );
});

test('a package ships its licence, a page about itself and what package.json points at', async () => {
  const missing = { LICENSE: undefined, 'README.md': undefined, 'out/index.d.ts': undefined };
  expect(await contentFaults(missing)).toEqual([
    expect.stringContaining('ships no LICENSE'),
    'ships no README.md',
    'points at out/index.d.ts, which is not shipped',
  ]);
  expect(await contentFaults({}, { files: ['out', 'models'] })).toEqual([
    'names models in files, and ships nothing there',
  ]);
});

test('a package ships no tests, and source maps that can be used', async () => {
  const faults = await contentFaults({
    'out/index.test.js': '',
    'out/index.js.map': '{"sources":["../src/index.ts"]}',
    'out/main.js': "console.log('1.0.0');\n//# sourceMappingURL=main.js.map\n",
  });
  expect(faults).toEqual([
    'ships out/index.test.js',
    'out/main.js names the source map main.js.map, which is not shipped',
    'out/index.js.map maps to ../src/index.ts, which is not shipped',
  ]);
});

test('a backend ships its capabilities and can be found', async () => {
  expect(await contentFaults({ 'pocketllm.backend.json': '{}' })).toEqual([
    expect.stringMatching(/no pocketllm field/),
  ]);
  expect(await contentFaults({}, { pocketllm: { backend: './out/plugin.js', abi: 1 } })).toEqual([
    'points at out/plugin.js, which is not shipped',
    'ships no pocketllm.backend.json',
  ]);
});

test('a package loads in plain Node and prints nothing', async () => {
  expect(await loadingFaults({ 'out/index.js': "import './gone.js';\n" })).toEqual([
    expect.stringMatching(/^cannot be loaded:\n.*gone/s),
  ]);
  expect(await loadingFaults({ 'out/index.js': "console.log('hello');\n" })).toEqual([
    'prints when it is loaded:\nhello',
  ]);
});

test('a command knows its version', async () => {
  expect(await loadingFaults({ 'out/main.js': "console.log('0.9.0');\n" })).toEqual([
    'one --version should print 1.0.0, and prints:\n0.9.0',
  ]);
});

test('shipped declarations compile in an application', async () => {
  const typesOf = (declaration) =>
    withTree({ ...installed, 'node_modules/one/out/index.d.ts': declaration }, (root) =>
      faultsOfTypes(root, ['one']),
    );
  expect(await typesOf('export declare const one: number;\n')).toEqual([]);
  expect(await typesOf('export declare const one: Gone;\n')).toEqual([
    expect.stringMatching(/Cannot find name 'Gone'/),
  ]);
});

test('the lockfile knows every package and what it depends on', () => {
  const entry = { folder, manifest: { ...manifest, dependencies: { far: '1', near: '2' } } };
  const locked = (fields) => faultsOfLock(entry, { packages: { [folder]: fields } });
  expect(locked({ dependencies: { near: '2', far: '1' } })).toEqual([]);
  expect(locked({ dependencies: { far: '1' } })).toEqual([
    'dependencies differ from package-lock.json; run npm install',
  ]);
  expect(faultsOfLock(entry, { packages: {} })).toEqual(['is not in package-lock.json; run npm install']);
});

test('packages of the repository depend on each other in their present versions', () => {
  const dependent = {
    folder,
    manifest: { ...manifest, dependencies: { two: '1.0.0', three: '^3.0.0', far: '1' } },
  };
  const versions = new Map([
    ['two', '2.0.0'],
    ['three', '3.0.0'],
  ]);
  expect(faultsOfVersions(dependent, versions)).toEqual(['depends on two 1.0.0, which is 2.0.0 here']);
});

test('a package that does something when it is installed is found', async () => {
  expect(await contentFaults({ 'binding.gyp': '{}' }, { scripts: { postinstall: 'node build.js' } })).toEqual(
    [
      'runs a script when it is installed: postinstall',
      'ships a .gyp file at its top, which npm compiles when it is installed',
    ],
  );
});
