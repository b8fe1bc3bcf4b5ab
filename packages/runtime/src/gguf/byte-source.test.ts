import { expect, it } from 'vitest';
import { blobSource } from './blob-source.js';
import { memorySource } from './byte-source.js';
import { readGguf } from './read-gguf.js';

const bytes = Uint8Array.of(0, 1, 2, 3, 4, 5, 6, 7);

it.each([
  ['memory', memorySource(bytes.subarray(2), 'name')],
  ['a Blob', blobSource(new Blob([bytes.subarray(2)]), 'name')],
])('%s gives the bytes of a range and refuses what passes its end', async (_kind, source) => {
  expect([source.name, source.size]).toEqual(['name', 6]);
  expect(await source.read(1, 3)).toEqual(Uint8Array.of(3, 4, 5));
  expect(await source.read(6, 0)).toEqual(new Uint8Array(0));
  for (const [offset, length] of [
    [5, 2],
    [7, 0],
    [0, 2 ** 53 - 1],
  ] as const) {
    await expect(source.read(offset, length)).rejects.toMatchObject({
      code: 'MODEL_MALFORMED',
      details: { offset: 6 },
    });
  }
  for (const [offset, length] of [
    [-1, 1],
    [0, -1],
    [0.5, 1],
    [0, Number.NaN],
  ] as const) {
    await expect(source.read(offset, length)).rejects.toThrow(TypeError);
  }
});

it('a File is named by its name', () => {
  expect(blobSource(new File([], 'model.gguf')).name).toBe('model.gguf');
});

it('a source that gives too few bytes is named', async () => {
  const source = { name: 'short', size: 100, read: async () => bytes };
  await expect(readGguf(source)).rejects.toThrow('short gave 8 bytes for 100');
});
