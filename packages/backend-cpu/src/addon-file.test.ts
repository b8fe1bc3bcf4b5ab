import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { version } from '../package.json' with { type: 'json' };
import { findAddon } from './addon-file.js';

const name = '@pocketllm/backend-cpu-linux-x64';
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pocketllm-build-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const found = (platform = 'linux-x64') => findAddon(pathToFileURL(`${folder}/build/`), platform);

function write(path: string, text: string) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
  return join(folder, path);
}

function installPrebuilt(which = version) {
  write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: which }));
  return write(`node_modules/${name}/pocketllm_cpu.node`, 'prebuilt');
}

describe('findAddon', () => {
  it('takes what was built here before a package', () => {
    installPrebuilt();
    const built = write('build/Release/pocketllm_cpu.node', 'built');
    expect(found()).toEqual({ file: built });
  });

  it('takes the package of the platform where nothing was built', () => {
    const file = installPrebuilt();
    expect(found()).toEqual({ file });
  });

  it('names what is missing, and how to build it', () => {
    expect(found()).toEqual({
      missing:
        `the package ${name} is not installed, and the native part is not built here ` +
        '(`npm explore @pocketllm/backend-cpu -- npm run build:native` does)',
    });
  });

  it('refuses a package of another release', () => {
    installPrebuilt('0.0.1');
    expect(found().missing).toMatch(`${name} is 0.0.1 and has to be ${version}`);
  });

  it('says that there is none for a platform', () => {
    expect(found('freebsd-x64').missing).toMatch(/^there is no prebuilt native part for freebsd-x64, and/);
  });

  it('gives the reason that a failed build wrote down', () => {
    write('build/not-built.txt', 'g++ was not found\n');
    expect(found().missing).toMatch(/and the native part is not built here: g\+\+ was not found$/);
  });
});
