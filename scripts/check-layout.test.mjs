import { expect, test } from 'vitest';
import { checkLayout } from './check-layout.mjs';
import { withTree } from './support/temporary-tree.mjs';

const manifest = (name, fields = {}) => JSON.stringify({ name, version: '0.0.0', ...fields });
const sound = {
  'package.json': manifest('root', { devDependencies: { vitest: '1' } }),
  'packages/abi/package.json': manifest('@pocketllm/abi'),
  'packages/abi/src/ops/rms-norm.ts':
    "import { defineOp } from './define-op.js';\nexport const rmsNorm = defineOp({});\n",
  'packages/abi/src/ops/define-op.ts': 'export const defineOp = (op: object) => op;\n',
  'packages/abi/src/ops/ops.test.ts':
    "import { readFileSync } from 'node:fs';\nimport { test } from 'vitest';\n",
  'packages/reference/package.json': manifest('@pocketllm/reference', {
    dependencies: { '@pocketllm/abi': '0.0.0' },
  }),
  'packages/reference/src/ops/rms-norm.ts': "import type { Op } from '@pocketllm/abi';\n",
  'packages/reference/src/ops/rms-norm.test.ts': '',
  'packages/runtime/package.json': manifest('@pocketllm/runtime', {
    dependencies: { '@pocketllm/abi': '0.0.0', '@huggingface/jinja': '1' },
  }),
  'packages/runtime/src/index.ts':
    "export * from '@pocketllm/abi';\nimport { Template } from '@huggingface/jinja';\n",
  'packages/runtime/src/node/file.ts': "import { open } from 'node:fs/promises';\n",
  'packages/runtime/src/node/file.test.ts': "import { shared } from '../../../../tests/support/shared.js';\n",
};

/** The problems of the sound tree with some files changed or added; undefined takes a file away. */
async function problemsWith(changes) {
  const files = Object.fromEntries(
    Object.entries({ ...sound, ...changes }).filter(([, text]) => text !== undefined),
  );
  return (await withTree(files, checkLayout)).problems;
}

test('a sound tree has no problems', async () => {
  expect(await problemsWith({})).toEqual([]);
});

test('a package imports only what its border allows', async () => {
  const problems = await problemsWith({
    'packages/runtime/package.json': manifest('@pocketllm/runtime', {
      dependencies: { '@pocketllm/abi': '0.0.0', '@pocketllm/reference': '0.0.0', '@huggingface/jinja': '1' },
    }),
    'packages/runtime/src/node/open.ts': "const plugin = await import('@pocketllm/reference');\n",
  });
  expect(problems).toEqual([
    'packages/runtime/src/node/open.ts:1: runtime may not import @pocketllm/reference',
  ]);
});

test('a test may import what devDependencies name, whatever the border', async () => {
  const fields = { dependencies: { '@pocketllm/abi': '0.0.0', '@huggingface/jinja': '1' } };
  const use = {
    'packages/runtime/src/node/file.test.ts': "import { plugin } from '@pocketllm/reference';\n",
  };
  expect(await problemsWith(use)).toEqual([
    'packages/runtime/src/node/file.test.ts:1: imports @pocketllm/reference, which is not in devDependencies of packages/runtime/package.json',
  ]);
  const declared = manifest('@pocketllm/runtime', {
    ...fields,
    devDependencies: { '@pocketllm/reference': '0.0.0' },
  });
  expect(await problemsWith({ ...use, 'packages/runtime/package.json': declared })).toEqual([]);
});

test.each([
  ['packages/abi/src/index.ts', "import { join } from 'node:path';"],
  ['packages/reference/src/index.ts', "export { join } from 'path';"],
  [
    'packages/runtime/src/index.ts',
    "export * from '@pocketllm/abi'; export * from '@huggingface/jinja'; await import('node:fs');",
  ],
])('%s may not import Node', async (path, text) => {
  expect(await problemsWith({ [path]: text })).toEqual([
    expect.stringMatching(/this code runs in a browser too$/),
  ]);
});

test('an import has to be declared, and what is declared has to be imported', async () => {
  expect(
    await problemsWith({
      'packages/reference/src/ops/rms-norm.ts': "import picocolors from 'picocolors';\n",
    }),
  ).toEqual([
    'packages/reference/src/ops/rms-norm.ts:1: imports picocolors, which is not in dependencies of packages/reference/package.json',
    'packages/reference/package.json: depends on @pocketllm/abi, which nothing in the package imports',
  ]);
  expect(await problemsWith({ 'scripts/tool.mjs': "import typescript from 'typescript';\n" })).toEqual([
    "scripts/tool.mjs:1: imports typescript, which is not in the root's package.json",
  ]);
});

test('a relative import stays in its package', async () => {
  const problems = await problemsWith({
    'packages/reference/src/ops/rms-norm.ts':
      "import type { Op } from '@pocketllm/abi';\nimport { x } from '../../../abi/src/ops/rms-norm.js';\n",
  });
  expect(problems).toEqual([
    expect.stringMatching(/^packages\/reference\/src\/ops\/rms-norm.ts:2: .* leads out/),
  ]);
});

test('a package needs a border', async () => {
  expect(await problemsWith({ 'packages/extra/package.json': manifest('extra') })).toEqual([
    expect.stringMatching(/^packages\/extra: has no entry in the table of borders/),
  ]);
});

test('names are kebab-case; native code may carry the names of ops', async () => {
  const problems = await problemsWith({
    'packages/abi/src/ops/rmsNorm.test.ts': '',
    'packages/abi/src/ops/utils.ts': '',
    'packages/backend-cpu/package.json': manifest('@pocketllm/backend-cpu'),
    'packages/backend-cpu/native/kernels/rms_norm/avx2.cpp': '',
    'models/tale-q8_0.gguf': '',
  });
  expect(problems).toEqual([
    'packages/abi/src/ops/rmsNorm.test.ts: is not kebab-case',
    'packages/abi/src/ops/utils.ts: name it after its concept',
  ]);
});

test('an op has its oracle, and its conformance cases once there are any', async () => {
  expect(await problemsWith({ 'packages/reference/src/ops/rms-norm.ts': undefined })).toContain(
    'packages/abi/src/ops/rms-norm.ts: has no counterpart packages/reference/src/ops/rms-norm.ts',
  );
  const problems = await problemsWith({
    'packages/conformance/package.json': manifest('@pocketllm/conformance'),
    'packages/conformance/src/cases/add.ts': '',
  });
  expect(problems).toEqual([
    'packages/abi/src/ops/rms-norm.ts: has no counterpart packages/conformance/src/cases/rms-norm.ts',
  ]);
});

test('a folder of sources holds a test', async () => {
  expect(await problemsWith({ 'packages/abi/src/ops/ops.test.ts': undefined })).toEqual([
    'packages/abi/src/ops: holds sources and no test',
  ]);
});

test('an excuse for a folder without tests ends with its first test', async () => {
  const problems = await problemsWith({
    'packages/conformance/package.json': manifest('@pocketllm/conformance'),
    'packages/conformance/src/cases/rms-norm.ts': '',
    'packages/conformance/src/cases/rms-norm.test.ts': '',
  });
  expect(problems).toEqual(['packages/conformance/src/cases: has tests now; take it out of testedElsewhere']);
});
