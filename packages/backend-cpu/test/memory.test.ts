import { execFileSync, spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { addonFile } from '../src/load-addon.js';
import { missingNative } from './native.js';

const hasLimits = spawnSync('bash', ['-c', 'ulimit -v 4000000']).status === 0 && process.platform === 'linux';
const missing = missingNative ?? (hasLimits ? undefined : 'needs ulimit of Linux');

/** Runs in a process with 4 GB of addresses: a cache of two layers and so many pages of 512 KiB; then a small one. */
const script = `
  const { Cache } = require(process.argv[1]);
  const layers = Float64Array.of(8, 128, 128, 8, 128, 128);
  let failure;
  try {
    new Cache('scalar', layers, 16384, 0);
  } catch ({ code, what, wanted, available }) {
    failure = { code, what, wanted, available };
  }
  process.stdout.write(JSON.stringify({ failure, after: new Cache('scalar', layers, 2, 0).bytes }));
`;

describe.skipIf(missing !== undefined)(`memory that is limited (${missing ?? 'ulimit'})`, () => {
  it('refuses what does not fit with what is wanted and what is left, and goes on', () => {
    const command = 'ulimit -v 4000000; exec "$@"';
    const args = ['-c', command, 'bash', process.execPath, '-e', script, addonFile().file!];
    const { failure, after } = JSON.parse(execFileSync('bash', args, { encoding: 'utf8' }));
    expect(failure).toMatchObject({ code: 'OUT_OF_MEMORY', what: 'cache pages', wanted: 2 ** 33 });
    expect(failure.available).toBeGreaterThan(0);
    expect(failure.available).toBeLessThan(4_096_000_000);
    expect(after).toBe(2 ** 20);
  });
});
