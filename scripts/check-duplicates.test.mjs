import { expect, test } from 'vitest';
import { checkDuplicates } from './check-duplicates.mjs';
import { withTree } from './support/temporary-tree.mjs';

const statements = (count) => Array.from({ length: count }, (_, i) => `  step${i}(value);`);
const file = (name, body) =>
  `import { a } from './${name}.js';\n\n/** About ${name}. */\nexport function ${name}() {\n${body.join('\n')}\n}\n`;

test('eight equal lines in two files are a problem, seven are not', async () => {
  const twice = (count) => ({
    'packages/a/src/one.ts': file('one', statements(count)),
    'packages/b/src/two.ts': file('two', statements(count)),
  });
  expect((await withTree(twice(7), (root) => checkDuplicates(root, []))).problems).toEqual([]);
  expect((await withTree(twice(8), (root) => checkDuplicates(root, []))).problems).toEqual([
    'packages/b/src/two.ts:5-12 repeats packages/a/src/one.ts:5-12 (8 lines)',
  ]);
});

test('comments, blank lines and indentation do not hide a repetition', async () => {
  const disguised = statements(10).flatMap((line) => ['', '// why', `    ${line}`]);
  const files = {
    'packages/a/src/one.ts': file('one', statements(10)),
    'packages/a/src/two.ts': file('two', disguised),
  };
  expect((await withTree(files, (root) => checkDuplicates(root, []))).problems).toEqual([
    'packages/a/src/two.ts:7-34 repeats packages/a/src/one.ts:5-14 (10 lines)',
  ]);
});

test('a repetition within one file is found, a run of one repeated line is not', async () => {
  const files = {
    'packages/a/src/one.ts': file('one', [...statements(8), '  other();', ...statements(8)]),
    'packages/a/src/two.ts': file(
      'two',
      Array.from({ length: 12 }, () => '  again();'),
    ),
  };
  expect((await withTree(files, (root) => checkDuplicates(root, []))).problems).toEqual([
    'packages/a/src/one.ts:14-21 repeats packages/a/src/one.ts:5-12 (8 lines)',
  ]);
});

test('imports and tests do not count', async () => {
  const imports = statements(9)
    .map((_, i) => `import { x${i} } from './x${i}.js';`)
    .join('\n');
  const files = {
    'packages/a/src/one.ts': imports,
    'packages/a/src/two.ts': imports,
    'packages/a/src/one.test.ts': file('one', statements(9)),
    'packages/a/src/two.test.ts': file('two', statements(9)),
  };
  expect((await withTree(files, (root) => checkDuplicates(root, []))).problems).toEqual([]);
});

test('an allowed pair passes, and is a problem once nothing repeats', async () => {
  const allow = [{ files: ['packages/a/src/one.ts', 'packages/a/src/two.ts'], reason: 'for the test' }];
  const files = {
    'packages/a/src/one.ts': file('one', statements(9)),
    'packages/a/src/two.ts': file('two', statements(9)),
  };
  expect((await withTree(files, (root) => checkDuplicates(root, allow))).problems).toEqual([]);
  files['packages/a/src/two.ts'] = '';
  expect((await withTree(files, (root) => checkDuplicates(root, allow))).problems).toEqual([
    expect.stringContaining('which share nothing now'),
  ]);
});
