import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BackendPlugin } from '@pocketllm/abi';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApplicationFolder } from '../../../../tests/support/backend-package.js';
import { openGgufFile, openModel } from './open-model.js';

const tale = fileURLToPath(new URL('../../../../models/tale-q8_0.gguf', import.meta.url));

/** Offers a device and refuses to open it, noting what it was asked for. */
function refusing(asked: unknown[]): BackendPlugin {
  const capabilities = { abi: 1, name: 'refusing', deviceClasses: ['cpu'], ops: [], bitExact: [] } as const;
  const device = (id: string) => ({ id, name: id, class: 'cpu', capabilities }) as const;
  return {
    abi: 1,
    name: 'refusing',
    probe: async () => ({ devices: [device('first'), device('second')] }),
    async open(...request) {
      asked.push(request);
      throw new Error('no');
    },
  };
}

describe('openModel', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'pocketllm-open-model-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('opens the device that is named with the threads that are asked for, and nothing more', async () => {
    const asked: unknown[] = [];
    const options = { backend: refusing(asked), device: 'second', threads: 2, maxModelLen: 64 };
    await expect(openModel(tale, options)).rejects.toMatchObject({ code: 'BACKEND_UNAVAILABLE' });
    expect(asked).toEqual([['second', { threads: 2 }]]);
  });

  it('finds a backend by name from where the application lies', async () => {
    const application = new ApplicationFolder();
    application.dependsOn(['their-backend']);
    application.addBackend('their-backend', 'theirs');
    for (const backend of ['theirs', 'their-backend', undefined]) {
      const options = { from: application.root, ...(backend === undefined ? {} : { backend }) };
      await expect(openModel(tale, options)).rejects.toMatchObject({
        code: 'BACKEND_UNAVAILABLE',
        details: { backend: 'theirs', reason: 'only a test' },
      });
    }
    application.remove();
  });

  it('refuses a file that is missing, and one that is no model', async () => {
    const backend = refusing([]);
    const path = join(folder, 'page.gguf');
    await expect(openModel(path, { backend })).rejects.toMatchObject({
      code: 'MODEL_NOT_FOUND',
      details: { path },
    });
    writeFileSync(path, '<html>');
    await expect(openModel(path, { backend })).rejects.toMatchObject({ code: 'MODEL_MALFORMED' });
  });
});

describe('openGgufFile', () => {
  it('gives tensors that a backend can map by their place in the file', async () => {
    const model = await openGgufFile(tale);
    expect(model.locate('output_norm.weight')).toMatchObject({ path: tale, bytes: 1024 });
    await model.close();
  });
});
