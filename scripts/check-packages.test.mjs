import { expect, test } from 'vitest';
import { checkPackages } from './check-packages.mjs';
import { withTree } from './support/temporary-tree.mjs';

const manifest = {
  name: 'one',
  version: '1.0.0',
  type: 'module',
  files: ['dist'],
  bin: { one: 'dist/main.js' },
  exports: {
    '.': { 'pocketllm-source': './src/index.ts', types: './dist/index.d.ts', default: './dist/index.js' },
  },
};
const sound = {
  'package.json': JSON.stringify({ name: 'root', private: true, workspaces: ['packages/*'] }),
  'packages/one/package.json': JSON.stringify(manifest),
  'packages/one/LICENSE': 'Free.',
  'packages/one/dist/index.js': 'export const one = 1;\n//# sourceMappingURL=index.js.map\n',
  'packages/one/dist/index.js.map':
    '{"sources":["../src/index.ts"],"sourcesContent":["export const one = 1;"]}',
  'packages/one/dist/index.d.ts': 'export declare const one = 1;\n',
  'packages/one/dist/main.js': "console.log('1.0.0');\n",
};

/** The problems of the sound tree with some files changed; undefined takes a file away. */
async function problemsWith(changes) {
  const files = Object.entries({ ...sound, ...changes }).filter(([, text]) => text !== undefined);
  return (await withTree(Object.fromEntries(files), checkPackages)).problems;
}

const withManifest = (fields) => ({
  'packages/one/package.json': JSON.stringify({ ...manifest, ...fields }),
});

test('a sound package has no problems, and the source condition need not be shipped', async () => {
  expect(await problemsWith({})).toEqual([]);
});

test('a package ships its licence and what package.json points at', async () => {
  expect(
    await problemsWith({ 'packages/one/LICENSE': undefined, 'packages/one/dist/index.d.ts': undefined }),
  ).toEqual([
    expect.stringContaining('packages/one: ships no LICENSE'),
    'packages/one: points at dist/index.d.ts, which is not shipped',
  ]);
  expect(await problemsWith(withManifest({ files: ['dist', 'models'] }))).toEqual([
    'packages/one: names models in files, and ships nothing there',
  ]);
});

test('a package ships no tests, and source maps that can be used', async () => {
  const problems = await problemsWith({
    'packages/one/dist/index.test.js': '',
    'packages/one/dist/index.js.map': '{"sources":["../src/index.ts"]}',
    'packages/one/dist/main.js': "console.log('1.0.0');\n//# sourceMappingURL=main.js.map\n",
  });
  expect(problems).toEqual([
    'packages/one: ships dist/index.test.js',
    'packages/one: dist/main.js names the source map main.js.map, which is not shipped',
    'packages/one: dist/index.js.map maps to ../src/index.ts, which is not shipped',
  ]);
});

test('a package loads in plain Node and prints nothing', async () => {
  expect(await problemsWith({ 'packages/one/dist/index.js': "import './gone.js';\n" })).toEqual([
    expect.stringMatching(/^packages\/one: cannot be loaded:\n.*gone/s),
  ]);
  expect(await problemsWith({ 'packages/one/dist/index.js': "console.log('hello');\n" })).toEqual([
    'packages/one: prints when it is loaded:\nhello',
  ]);
});

test('a command knows its version', async () => {
  expect(await problemsWith({ 'packages/one/dist/main.js': "console.log('0.9.0');\n" })).toEqual([
    'packages/one: one --version should print 1.0.0, and prints:\n0.9.0',
  ]);
});

test('a backend ships its capabilities and can be found', async () => {
  const described = { 'packages/one/pocketllm.backend.json': '{}' };
  expect(await problemsWith(described)).toEqual([expect.stringMatching(/no pocketllm field/)]);
  const pocketllm = { backend: './dist/plugin.js', abi: 1 };
  expect(await problemsWith({ ...described, ...withManifest({ pocketllm }) })).toEqual([
    'packages/one: points at dist/plugin.js, which is not shipped',
    'packages/one: ships no pocketllm.backend.json',
  ]);
});

test('packages of the repository depend on each other in their present versions', async () => {
  const two = {
    'packages/two/package.json': JSON.stringify({ name: 'two', version: '2.0.0', private: true }),
  };
  expect(await problemsWith({ ...two, ...withManifest({ dependencies: { two: '1.0.0' } }) })).toEqual([
    'packages/one: depends on two 1.0.0, which is 2.0.0 here',
  ]);
});
