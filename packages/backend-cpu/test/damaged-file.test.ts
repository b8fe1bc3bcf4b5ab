import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addonFile } from '../src/load-addon.js';
import { tryInChild } from '../src/trial.js';
import { missingNative } from './native.js';

const missing = missingNative ?? (process.platform === 'linux' ? undefined : 'needs Linux');

describe.skipIf(missing !== undefined)(`a damaged native module (${missing ?? 'built'})`, () => {
  it('that was cut off ends a child process, and not this one', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pocketllm-damaged-'));
    const file = join(folder, 'pocketllm_cpu.node');
    const whole = readFileSync(addonFile().file!);
    writeFileSync(file, whole.subarray(0, whole.length / 2));
    expect(await tryInChild(file, folder)).toMatch(/ended with SIG(BUS|SEGV)/);
    rmSync(folder, { recursive: true });
  });
});
