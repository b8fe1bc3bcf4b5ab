import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CommandIo } from './command-io.js';
import { modelPath, readPromptFile, readRequest } from './request.js';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pocketllm-request-'));
  writeFileSync(join(folder, 'model'), '');
  writeFileSync(join(folder, 'prompt.txt'), 'Why?\r\n');
  writeFileSync(join(folder, 'empty.txt'), '\n');
  writeFileSync(join(folder, 'latin.txt'), Uint8Array.of(0xe9));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('readRequest', () => {
  const read = (given: string[], options = {}) => readRequest(given, options, folder);

  it.each([
    ['nothing', [], {}, undefined, undefined],
    ['one argument that is a file', ['model'], {}, 'model', undefined],
    ['one argument that ends in .gguf', ['none.gguf'], {}, 'none.gguf', undefined],
    ['one argument that is neither', ['Hello'], {}, undefined, 'Hello'],
    ['two arguments', ['Hello', 'model'], {}, 'Hello', 'model'],
    ['one argument beside --model', ['model'], { model: 'a' }, 'a', 'model'],
    ['one argument beside --prompt', ['Hello'], { prompt: 'Why?' }, 'Hello', 'Why?'],
    ['one argument beside --prompt-file', ['Hello'], { promptFile: 'f' }, 'Hello', undefined],
    ['both flags', [], { model: 'a', prompt: 'b' }, 'a', 'b'],
  ])('takes %s for what it is', (_, given, options, model, prompt) => {
    expect(read(given, options)).toEqual({ model, prompt });
  });

  it.each([
    ['model', ['a', 'b'], { model: 'c' }],
    ['model', ['a'], { model: 'c', prompt: 'd' }],
    ['prompt', ['a', 'b'], { prompt: 'c' }],
    ['prompt', ['a', 'b'], { promptFile: 'c' }],
    ['prompt', [], { prompt: 'c', promptFile: 'd' }],
  ])('refuses a %s that is given twice', (what, given, options) => {
    expect(() => read(given, options)).toThrow(`the ${what} is given twice`);
  });
});

describe('readPromptFile', () => {
  const read = (file: string | undefined, stdin: Readable, isTTY = false) =>
    readPromptFile(file, { stdin: Object.assign(stdin, { isTTY }), cwd: folder } as unknown as CommandIo);
  const input = (...chunks: Uint8Array[]) => Readable.from(chunks, { objectMode: false });

  it('reads a file without the line feed at its end', async () => {
    expect(await read('prompt.txt', input())).toBe('Why?');
  });

  it('reads standard input, with characters that are cut by a chunk', async () => {
    const bytes = Buffer.from('größer\n\n');
    expect(await read('-', input(bytes.subarray(0, 3), bytes.subarray(3)))).toBe('größer\n');
    expect(await read(undefined, input(Buffer.from('Why?')))).toBe('Why?');
  });

  it.each([
    ['a file that is missing', 'none.txt', 'none.txt cannot be read'],
    ['a folder', '.', '. cannot be read'],
    ['an empty file', 'empty.txt', 'empty.txt is empty'],
    ['a file that is no text', 'latin.txt', 'latin.txt is not UTF-8 text'],
    ['empty standard input', undefined, 'standard input is empty'],
  ])('refuses %s', async (_, file, message) => {
    await expect(read(file, input())).rejects.toMatchObject({
      code: 'USAGE',
      exit: 2,
      message: expect.stringContaining(message),
    });
  });

  it('does not wait for a prompt at a terminal', async () => {
    await expect(read(undefined, input(), true)).rejects.toThrow('there is no prompt');
  });

  it('stops reading an endless input', async () => {
    function* endless() {
      const chunk = Buffer.alloc(2 ** 20, 'a');
      for (;;) yield chunk;
    }
    await expect(read(undefined, Readable.from(endless(), { objectMode: false }))).rejects.toThrow(
      '16777216 bytes',
    );
  });
});

describe('modelPath', () => {
  it('is the path from the working directory', () => {
    expect(modelPath('model', folder)).toBe(join(folder, 'model'));
  });

  it('is a wrong command where nothing is there', () => {
    expect(() => modelPath('none.gguf', folder)).toThrow(
      expect.objectContaining({
        code: 'MODEL_NOT_FOUND',
        exit: 2,
        details: { path: 'none.gguf', reason: 'no such file' },
      }),
    );
  });

  it('is the model of this package where none is named', () => {
    expect(modelPath(undefined, folder)).toMatch(/models[/\\]tale-q8_0\.gguf$/);
  });
});
