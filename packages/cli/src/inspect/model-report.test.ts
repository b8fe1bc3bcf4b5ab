import { openGgufFile } from '@pocketllm/runtime/node';
import { describe, expect, it } from 'vitest';
import { hasShared, sharedPath } from '../../../../tests/support/shared.js';
import { inTreeModel } from '../in-tree-model.js';
import { reportModel } from './model-report.js';
import { reportText } from './report-text.js';

async function reportOf(path: string) {
  const model = await openGgufFile(path);
  const report = reportModel(model);
  await model.close();
  return report;
}

describe('the report of the in-tree model', () => {
  it('counts what its card says', async () => {
    const report = await reportOf(inTreeModel());
    expect(report).toMatchObject({
      architecture: 'qwen3',
      name: 'Tale 4M',
      formats: [
        { format: 'q8_0', tensors: 29 },
        { format: 'f32', tensors: 17 },
      ],
      tokenizer: { model: 'gpt2', pre: 'qwen2', tokens: 4096, merges: 3831 },
      files: [{ bytes: 4_601_856, version: 3, alignment: 32 }],
    });
    const layer = 256 * (256 + 128 + 128 + 256) + 3 * 256 * 768 + 2 * 256 + 2 * 64;
    expect(report.parameters).toBe(4096 * 256 + 4 * layer + 256);
    expect(report.tensors).toHaveLength(46);
  });

  it('computes the cache: 4 layers of 2 heads, 64 keys and 64 values each, for 1,024 tokens', async () => {
    const elements = 4 * 2 * (64 + 64) * 1024;
    const { runs, bytes } = await reportOf(inTreeModel());
    expect(runs).toEqual({
      possible: true,
      memory: {
        weights: bytes,
        positions: 1024,
        caches: { f16: elements * 2, f32: elements * 4, q8_0: (elements * 34) / 32 },
      },
    });
  });

  it('shortens long arrays and texts', async () => {
    const report = await reportOf(inTreeModel());
    expect(report.keys.find(({ key }) => key === 'tokenizer.ggml.merges')).toMatchObject({
      type: 'array of string',
      length: 3831,
      value: expect.objectContaining({ length: 8 }),
    });
    const lines = reportText(report).split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(300);
  });
});

describe.skipIf(!hasShared('fixtures/hostile-gguf'))('hostile files (needs ../shared/fixtures)', () => {
  const hostile = (name: string) => reportOf(sharedPath(`fixtures/hostile-gguf/${name}`));

  it('one that is no model is listed, with the reason why it cannot run', async () => {
    const report = await hostile('control-header-only.gguf');
    expect(report).toMatchObject({
      tensors: [{ name: 't', format: 'f32', dimensions: [32, 2], bytes: 256 }],
      runs: { possible: false, code: 'MODEL_MALFORMED', message: expect.stringContaining('llama.') },
    });
    expect(reportText(report)).toContain('runs           no. MODEL_MALFORMED');
  });

  it('one that has control characters in its name shows them escaped', async () => {
    const text = reportText(await hostile('name-control-characters.gguf'));
    expect(text).not.toMatch(/[^\n\P{Cc}]|[\p{Cf}]/u);
    expect(text).toContain('\\u{1b}[31mred');
  });

  it('one of several parts is one model', async () => {
    const report = await hostile('control-split/model-00001-of-00003.gguf');
    expect(report.files).toHaveLength(3);
    expect(report.tensors).toHaveLength(13);
    expect(reportText(report)).toContain('3 files');
  });
});
