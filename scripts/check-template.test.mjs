import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { faultsOfDependencies, nameListed, testsPassed } from './check-template.mjs';
import { listFiles, readText } from './support/files.mjs';
import { applyEdit, guideFiles } from './support/guide-files.mjs';
import { repository } from './support/problems.mjs';
import { faultsOfAnswer, faultsOfOrigin, withDependencies } from './support/strangers-way.mjs';

const template = join(repository, 'examples/backend-template');
const { files, edits } = guideFiles(readText(repository, 'docs/guides/write-a-backend.md'));

test.each([...files])('the guide shows %s as it stands in the template, or adds it', (path, text) => {
  if (existsSync(join(template, path))) expect(text).toBe(readText(template, path));
  else expect(['src/ops/gated-activation.ts', 'src/formats/bf16.ts']).toContain(path);
});

test('the guide shows the files that the contract is about, and copies only sources', () => {
  expect([...files.keys()]).toEqual(
    expect.arrayContaining(['src/index.ts', 'src/backend.ts', 'src/executable.ts', 'src/ops/kernel.ts']),
  );
  const others = listFiles(template).filter((path) => !files.has(path) && !path.startsWith('src/'));
  expect(others).toEqual(['.gitignore', 'README.md']);
});

test('every edit of the guide finds its place in the template', () => {
  const edited = new Map();
  for (const { path, diff } of edits) {
    edited.set(path, applyEdit(edited.get(path) ?? readText(template, path), diff));
  }
  const { ops } = JSON.parse(edited.get('pocketllm.backend.json'));
  expect(ops.map(({ op }) => op)).toContain('gated_activation');
  expect(ops.find(({ op }) => op === 'matmul').formats).toContain('bf16');
  expect(edited.get('src/ops/index.ts')).toContain('  gated_activation: gatedActivation,\n');
  expect(edited.get('src/formats/index.ts')).toContain("import { bf16 } from './bf16.js';\n");
});

test('a guide has files and edits where a line ends in a path', () => {
  const markdown = [
    'Write `a.ts`:',
    '```ts\nconst a = 1;\n```',
    'and change it, `a.ts`:',
    '```diff\n-const a = 1;\n+const a = 2;\n```',
    'Run it:',
    '```sh\nnode a.ts\n```',
  ].join('\n\n');
  expect(guideFiles(markdown)).toEqual({
    files: new Map([['a.ts', 'const a = 1;\n']]),
    edits: [{ path: 'a.ts', diff: '-const a = 1;\n+const a = 2;\n' }],
  });
});

test('an edit changes what it names, in several places', () => {
  expect(applyEdit('a\nb\nc\nd\n', ' a\n+x\n b\n\n-d\n+y\n')).toBe('a\nx\nb\nc\ny\n');
});

test('an edit without its place is refused, and so is one with two', () => {
  expect(() => applyEdit('a\n', '-b\n+c\n')).toThrow('stands there 0 times');
  expect(() => applyEdit('a\na\n', '-a\n+c\n')).toThrow('stands there 2 times');
});

test('a package comes with those of the repository that it needs, and theirs', () => {
  const packages = Object.entries({
    app: ['lib', 'other'],
    lib: ['base', 'lib'],
    base: [],
    unused: ['lib'],
  }).map(([name, needs]) => ({
    manifest: { name, dependencies: Object.fromEntries(needs.map((need) => [need, '1'])) },
  }));
  expect(withDependencies('app', packages).map(({ name }) => name)).toEqual(['app', 'lib', 'base']);
});

const released = [{ folder: 'packages/abi', manifest: { name: '@pocketllm/abi', version: '0.2.0' } }];

test('a template that asks for another version is a fault, in each list of dependencies', () => {
  const outdated = { '@pocketllm/abi': '^0.1.0' };
  expect(faultsOfDependencies({ dependencies: { '@pocketllm/abi': '^0.2.0' } }, released)).toEqual([]);
  expect(faultsOfDependencies({ dependencies: outdated }, released)).toHaveLength(1);
  expect(faultsOfDependencies({ devDependencies: outdated }, released)).toHaveLength(1);
});

test('a package of PocketLLM that comes from a registry is a fault', () => {
  const lock = (resolved) => JSON.stringify({ packages: { 'node_modules/@pocketllm/abi': { resolved } } });
  expect(faultsOfOrigin(lock('file:../abi.tgz'))).toEqual([]);
  expect(faultsOfOrigin(lock('https://example.org/abi.tgz'))).toHaveLength(1);
  expect(faultsOfOrigin('{"packages":{"node_modules/pocketllm":{}}}')).toHaveLength(1);
  expect(faultsOfOrigin('{"packages":{"node_modules/commander":{}}}')).toEqual([]);
});

test('a report has to be green and complete; its failures are told', () => {
  const report = (fields) =>
    JSON.stringify({ passed: true, complete: true, counts: { passed: 7 }, tests: [], ...fields });
  const tests = [
    { group: ['js', 'cases'], name: 'adds', result: 'failed', reason: 'off by one' },
    { group: ['js', 'cases'], name: 'multiplies', result: 'passed' },
  ];
  expect(testsPassed(report({}))).toBe(7);
  expect(() => testsPassed(report({ complete: false }))).toThrow('leaves tests out');
  expect(() => testsPassed(report({ passed: false, tests }))).toThrow(
    /green\njs › cases › adds: off by one$/,
  );
});

test('a backend has to be listed as one of the application, without a problem', () => {
  const listed = (fields) =>
    JSON.stringify([{ package: 'mine', name: 'fast', origin: 'application', ...fields }]);
  expect(nameListed(listed({}), 'mine')).toBe('fast');
  expect(() => nameListed(listed({}), 'other')).toThrow('does not list other');
  expect(() => nameListed(listed({ origin: 'command' }), 'mine')).toThrow('as of the command');
  expect(() => nameListed(listed({ problem: { message: 'broken' } }), 'mine')).toThrow('broken');
});

test('an answer has to be right, and to come from the backend that was asked for', () => {
  const result = (text, backend) => JSON.stringify({ text, backend });
  expect(faultsOfAnswer(result('It is Oslo.', 'fast'), 'fast')).toEqual([]);
  expect(faultsOfAnswer(result('It is Oslo.', 'reference'), 'fast')).toHaveLength(1);
  expect(faultsOfAnswer(result('It is it is it is', 'fast'), 'fast')).toHaveLength(1);
});
