import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { load } from './load-addon.js';

it('says what is wrong with a module that does not load', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pocketllm-build-'));
  const file = join(folder, 'pocketllm_cpu.node');
  writeFileSync(file, 'no library');
  expect(load({ file }).missing).toMatch(/^the native part cannot be loaded: /);
  rmSync(folder, { recursive: true });
});

it('passes on why there is no file', () => {
  expect(load({ missing: 'nothing was built' })).toEqual({ missing: 'nothing was built' });
});
