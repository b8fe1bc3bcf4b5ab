import { expect, test } from 'vitest';
import { checkDocs } from './check-docs.mjs';
import { withTree } from './support/temporary-tree.mjs';

const sound = {
  'packages/abi/src/errors.ts':
    'export interface ErrorDetails {\n  CLOSED: { what: string };\n  CANCELLED: { during: string; after?: number };\n}\n',
  'docs/reference/errors.md':
    '# Errors\n\n| code | when | fields | what to do |\n|---|---|---|---|\n' +
    '| `CLOSED` | used late | `what` | open it |\n| `CANCELLED` | asked | `during`, `after` | nothing |\n',
  'docs/guide.md': '# Guide\n\n## What it `is`, shortly\n',
  'README.md':
    '[guide](docs/guide.md) [part](docs/guide.md#what-it-is-shortly) [site](https://example.com/x) [here](#top)\n\n# Top\n',
};

const problemsWith = async (changes) => (await withTree({ ...sound, ...changes }, checkDocs)).problems;

test('sound pages have no problems', async () => {
  expect(await problemsWith({})).toEqual([]);
});

test('a link has to lead to a file of the repository', async () => {
  expect(
    await problemsWith({
      'docs/guide.md': '# Guide\n\n## What it is, shortly\n\n[x](gone.md) [y](../../x.md)\n',
    }),
  ).toEqual([
    'docs/guide.md:5: gone.md does not exist',
    'docs/guide.md:5: ../../x.md leads out of the repository',
  ]);
});

test('a link to a heading has to name one', async () => {
  expect(await problemsWith({ 'docs/guide.md': '# Guide\n' })).toEqual([
    'README.md:1: docs/guide.md#what-it-is-shortly names a heading that is not there',
  ]);
});

test('code is not searched for links', async () => {
  const page = '# Guide\n\n## What it is, shortly\n\n```md\n[x](gone.md)\n```\n\n`[y](gone.md)`\n';
  expect(await problemsWith({ 'docs/guide.md': page })).toEqual([]);
});

test('the page of errors lists every code with its fields, and no other', async () => {
  const page =
    '| code |\n|---|\n| `CLOSED` | used late | `where` | open it |\n| `GONE` | never | `what` | nothing |\n';
  expect(await problemsWith({ 'docs/reference/errors.md': page })).toEqual([
    'docs/reference/errors.md: CLOSED has the fields what, the page says where',
    'docs/reference/errors.md: CANCELLED is missing',
    'docs/reference/errors.md: GONE is not declared in packages/abi/src/errors.ts',
  ]);
});
