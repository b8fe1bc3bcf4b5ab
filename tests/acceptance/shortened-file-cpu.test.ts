import { copyFileSync, mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import cpu, { loadAddon } from '@pocketllm/backend-cpu';
import { Model } from '@pocketllm/runtime';
import { openGgufFile } from '@pocketllm/runtime/node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inTreeModel } from '../../packages/cli/src/in-tree-model.js';

const { missing } = loadAddon();
let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pocketllm-shortened-'));
  path = join(folder, 'model.gguf');
  copyFileSync(inTreeModel(), path);
});
afterEach(() => rmSync(folder, { recursive: true }));

const cutInHalf = () => truncateSync(path, statSync(path).size / 2);

// A mapped file that is shortened ends the process that reads beyond its new end.
describe.skipIf(missing !== undefined)(`a model file that becomes shorter (${missing ?? 'cpu'})`, () => {
  it('after it was loaded changes nothing', async () => {
    const model = await Model.load(await openGgufFile(path), cpu, { threads: 1 });
    cutInHalf();
    const messages = [{ role: 'user', content: 'What is the capital of Norway?' }] as const;
    const answer = model.chat(messages, { temperature: 0, enableThinking: false });
    expect((await answer.result()).text).toBe('The capital of Norway is Oslo.');
    await model.close();
  });

  it('after its header was checked is an error', async () => {
    const file = await openGgufFile(path);
    cutInHalf();
    await expect(Model.load(file, cpu, { threads: 1 })).rejects.toMatchObject({
      code: 'MODEL_NOT_FOUND',
      details: { reason: 'the file has become shorter' },
    });
  });
});
