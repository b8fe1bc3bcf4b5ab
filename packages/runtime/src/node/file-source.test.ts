import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openFile } from './file-source.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pocketllm-file-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function file(name: string, bytes: Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}

it('ranges of a file are read', async () => {
  const path = await file('a', Uint8Array.of(1, 2, 3, 4));
  const source = await openFile(path);
  expect([source.path, source.name, source.size]).toEqual([path, path, 4]);
  expect(await source.read(1, 2)).toEqual(Uint8Array.of(2, 3));
  expect(await source.read(4, 0)).toEqual(new Uint8Array(0));
  await expect(source.read(3, 2)).rejects.toMatchObject({ code: 'MODEL_MALFORMED' });
  await source.close();
});

it('a closed file is CLOSED, and closing twice is fine', async () => {
  const source = await openFile(await file('b', Uint8Array.of(1)));
  await source.close();
  await source.close();
  await expect(source.read(0, 1)).rejects.toMatchObject({ code: 'CLOSED' });
});

it('a file that shrinks while it is open is refused', async () => {
  const path = await file('c', Uint8Array.of(1, 2, 3, 4));
  const source = await openFile(path);
  await truncate(path, 2);
  await expect(source.read(0, 4)).rejects.toMatchObject({
    code: 'MODEL_NOT_FOUND',
    details: { path, reason: 'the file has become shorter' },
  });
  await source.close();
});

it('what is no file is refused with the reason', async () => {
  const missing = join(folder, 'missing');
  await expect(openFile(missing)).rejects.toMatchObject({
    code: 'MODEL_NOT_FOUND',
    details: { path: missing, reason: 'no such file' },
  });
  await expect(openFile(folder)).rejects.toMatchObject({ details: { reason: 'a folder, not a file' } });
  await expect(openFile('with\0nul')).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND' });
});

it.skipIf(process.platform === 'win32')('a named pipe is refused at once', async () => {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  await expect(openFile(pipe)).rejects.toMatchObject({ details: { reason: 'not a regular file' } });
});
