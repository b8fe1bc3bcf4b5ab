import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { checkChangesets } from './check-changesets.mjs';
import { withTree } from './support/temporary-tree.mjs';

const files = {
  'package.json': JSON.stringify({ name: 'root', private: true, workspaces: ['packages/*'] }),
  'package-lock.json': '{}',
  'packages/one/package.json': JSON.stringify({ name: 'one', version: '1.0.0' }),
  '.changeset/config.json': JSON.stringify({ baseBranch: 'main' }),
};

/** Problems of a repository that holds `files` and the given changeset. */
async function problemsWith(changeset, branch = 'main') {
  const tree = { ...files, '.changeset/change.md': changeset };
  const { problems } = await withTree(tree, (root) => {
    const git = (...args) =>
      execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@localhost', ...args], {
        cwd: root,
      });
    git('init', '--quiet', `--initial-branch=${branch}`);
    git('add', '.');
    git('commit', '--quiet', '--message=first');
    return checkChangesets(root);
  });
  return problems.join('\n');
}

test('a changeset for a package that exists passes, whatever the branch is called', async () => {
  const sound = '---\n"one": minor\n---\n\nNews.\n';
  expect(await problemsWith(sound)).toBe('');
  expect(await problemsWith(sound, 'topic')).toBe('');
});

test('a changeset for a package that does not exist is a problem', async () => {
  expect(await problemsWith('---\n"two": minor\n---\n\nNews.\n')).toMatch(/two/);
});

test('a changeset that cannot be read is a problem', async () => {
  expect(await problemsWith('"one": minor\n')).not.toBe('');
});
