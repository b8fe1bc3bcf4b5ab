import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { tryInChild } from './trial.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pocketllm-trial-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A module that the child loads in place of native code. */
function moduleOf(text: string): string {
  const file = join(folder, 'module.cjs');
  writeFileSync(file, text);
  return file;
}

const marks = () => readdirSync(folder).filter((name) => name !== 'module.cjs');
const tried = (file: string) => tryInChild(file, folder);

describe('tryInChild', () => {
  it('gives a sentence where loading ends the process', async () => {
    const file = moduleOf("process.kill(process.pid, 'SIGILL'); setTimeout(() => {}, 60_000);");
    expect(await tried(file)).toBe(`a process that tried to load the native part ended with SIGILL: ${file}`);
    expect(marks()).toEqual([]);
  });

  it('leaves an ordinary error to loading', async () => {
    expect(await tried(moduleOf("throw new Error('wrong');"))).toBeUndefined();
    expect(marks()).toEqual([]);
  });

  it('remembers what went well, and tries another file again', async () => {
    const trace = join(folder, 'loaded');
    const leaveTrace = `require('node:fs').writeFileSync(${JSON.stringify(trace)}, '');`;
    const file = moduleOf(leaveTrace);
    expect(await tried(file)).toBeUndefined();
    expect(existsSync(trace)).toBe(true);
    rmSync(trace);
    expect(await tried(file)).toBeUndefined();
    expect(existsSync(trace)).toBe(false);
    expect(await tried(moduleOf(`${leaveTrace}// another`))).toBeUndefined();
    expect(existsSync(trace)).toBe(true);
  });

  it('starts nothing where that is turned off', async () => {
    vi.stubEnv('POCKETLLM_CPU_TRIAL', 'off');
    expect(await tried(moduleOf("process.kill(process.pid, 'SIGILL');"))).toBeUndefined();
    vi.unstubAllEnvs();
  });

  it('goes on where it may not write', async () => {
    const file = moduleOf('');
    expect(await tryInChild(file, join(file, 'no-folder'))).toBeUndefined();
  });
});
