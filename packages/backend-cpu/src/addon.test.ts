import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { load } from './addon.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pocketllm-build-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const loaded = () => load(pathToFileURL(`${folder}/`));

it('says how to build the native part where nothing was built', () => {
  expect(loaded().missing).toMatch(/^the native part is not built: run `npm run build`/);
});

it('gives the reason that a failed build wrote down', () => {
  writeFileSync(join(folder, 'not-built.txt'), 'g++ was not found\n');
  expect(loaded()).toEqual({ missing: 'the native part is not built: g++ was not found' });
});

it('says what is wrong with a module that does not load', () => {
  mkdirSync(join(folder, 'Release'));
  writeFileSync(join(folder, 'Release', 'pocketllm_cpu.node'), 'no library');
  expect(loaded().missing).toMatch(/^the native part cannot be loaded: /);
});
