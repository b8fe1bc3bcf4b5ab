import { expect, test } from 'vitest';
import { checkGenerated } from './check-generated.mjs';
import { withTree } from './support/temporary-tree.mjs';

const path = 'packages/abi/generated/a.h';
const generate = async () => ({ [path]: 'fresh\n' });
const problemsOf = async (files) =>
  (await withTree(files, (root) => checkGenerated(root, generate))).problems;

test('a file as the generator writes it is no problem', async () => {
  expect(await problemsOf({ [path]: 'fresh\n' })).toEqual([]);
});

test('a stale file, a missing one and one that nothing generates are problems', async () => {
  expect(await problemsOf({ [path]: 'old\n' })).toEqual([expect.stringContaining(`${path}: is stale`)]);
  expect(await problemsOf({})).toEqual([expect.stringContaining(`${path}: is missing`)]);
  expect(await problemsOf({ [path]: 'fresh\n', 'packages/abi/generated/b.h': '' })).toEqual([
    'packages/abi/generated/b.h: nothing generates it',
  ]);
});
