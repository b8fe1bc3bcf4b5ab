import { expect, test } from 'vitest';
import { checkSizes } from './check-sizes.mjs';
import { withTree } from './support/temporary-tree.mjs';

const lines = (count) => 'x();\n'.repeat(count);

test('a file of 500 lines is a problem, one of 499 is not', async () => {
  const files = { 'packages/a/src/short.ts': lines(9), 'packages/a/src/tiny.ts': lines(1) };
  for (let i = 0; i < 20; i++) files[`packages/a/src/s${i}.ts`] = lines(1);
  const sized = (count) => withTree({ ...files, 'packages/a/src/long.ts': lines(count) }, checkSizes);
  expect((await sized(499)).problems).toEqual([]);
  expect((await sized(500)).problems).toEqual([
    expect.stringMatching(/^packages\/a\/src\/long.ts: 500 lines/),
  ]);
});

test('half of the files have fewer than 100 lines', async () => {
  const files = { 'scripts/a.mjs': lines(100), 'scripts/b.mjs': lines(100), 'scripts/c.mjs': lines(99) };
  const { problems } = await withTree(files, checkSizes);
  expect(problems).toEqual([expect.stringMatching(/^1 of 3 files have fewer than 100 lines, 50 % should/)]);
});

test('nine in ten files have fewer than 300 lines', async () => {
  const files = { 'tests/long.ts': lines(300) };
  for (let i = 0; i < 8; i++) files[`tests/s${i}.ts`] = lines(1);
  expect((await withTree(files, checkSizes)).problems).toEqual([
    expect.stringMatching(/^8 of 9 files have fewer than 300 lines, 90 % should: tests\/long.ts \(300\)/),
  ]);
  files['tests/s8.ts'] = lines(1);
  expect((await withTree(files, checkSizes)).problems).toEqual([]);
});

test('generated files, tables and installed packages do not count', async () => {
  const { problems, summary } = await withTree(
    {
      'packages/a/src/short.ts': lines(1),
      'packages/a/src/generated/long.h': lines(900),
      'packages/abi/src/formats/tables/long.ts': lines(900),
      'packages/a/node_modules/x/long.js': lines(900),
      'packages/a/dist/long.js': lines(900),
    },
    checkSizes,
  );
  expect(problems).toEqual([]);
  expect(summary).toBe('1 files, the longest 1 lines');
});
