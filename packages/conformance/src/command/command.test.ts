import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { ApplicationFolder } from '../../../../tests/support/backend-package.js';
import manifest from '../../package.json' with { type: 'json' };
import type { Report } from '../report.js';
import { parseArguments } from './arguments.js';
import { loadPlugin } from './load-plugin.js';
import { runCommand } from './run-command.js';

const cwd = mkdtempSync(join(tmpdir(), 'pocketllm-conformance-'));
const application = new ApplicationFolder();
application.dependsOn(['theirs']);
application.addBackend('theirs', 'theirs');
application.addBackend('@their/broken', 'broken', { module: 'throw new Error("no library");' });
application.addBackend('no-plugin', 'none', { module: 'export default {};' });
afterAll(() => {
  application.remove();
  rmSync(cwd, { recursive: true });
});

const reference = fileURLToPath(new URL('../../../reference/src/index.ts', import.meta.url));

async function run(args: readonly string[], from = cwd) {
  const out: string[] = [];
  const err: string[] = [];
  const status = await runCommand(args, {
    cwd: from,
    stdout: (line) => out.push(line),
    stderr: (line) => err.push(line),
  });
  return { status, out: out.join('\n'), err: err.join('\n') };
}

describe('pocketllm-conformance', () => {
  it('passes the reference, and says so in words and in a report', async () => {
    const args = [reference, '--only', 'cases › softcap', '--only', 'plugin ›', '--json', 'report.json'];
    const { status, out, err } = await run(args);
    expect([status, out]).toEqual([0, '']);
    expect(err).toMatch(/reference › cases › softcap: \d+ passed, 0 failed, 0 skipped/);
    expect(err).toContain('Part of the tests only');
    expect(err).toMatch(/PASSED: \d+ passed, 0 failed, \d+ skipped\nThe report is in report\.json$/);
    const report: Report = JSON.parse(readFileSync(join(cwd, 'report.json'), 'utf8'));
    expect(report).toMatchObject({
      schema: 1,
      kit: { name: '@pocketllm/conformance', version: manifest.version },
      plugin: { name: 'reference', package: '@pocketllm/reference' },
      passed: true,
      complete: false,
    });
    expect(report.devices[0]?.support).toEqual([{ op: 'softcap', passed: 17, failed: 0, skipped: 0 }]);
  });

  it('fails where no device is there, since nothing was shown', async () => {
    const { status, err } = await run(['theirs'], application.root);
    expect(status).toBe(1);
    expect(err).toContain('Further devices are not here: only a test');
    expect(err).toContain('No device was tested');
    // Its capabilities file claims nothing; its `open` fails without a code.
    expect(err).toContain('FAILED plugin › an id that no device has does not open, and fails with a code');
  });

  it('fails where the plugin is broken, with the reason', async () => {
    const broken = await run(['@their/broken'], application.root);
    expect(broken.status).toBe(1);
    expect(broken.err).toContain('no library');
    const none = await run(['no-plugin'], application.root);
    expect(none.status).toBe(1);
    expect(none.err).toContain('no default export with the functions probe and open');
  });

  it('refuses what it cannot do', async () => {
    for (const args of [
      [],
      ['a', 'b'],
      [reference, '--jsn', 'x'],
      [reference, '--timeout', 'soon'],
      ['not-installed'],
      ['./missing'],
    ]) {
      expect((await run(args)).status).toBe(2);
    }
    expect(await run([reference, '--only', 'no such test'])).toMatchObject({ status: 2 });
    expect(await run([reference, '--device', 'none', '--only', 'plugin'])).toMatchObject({ status: 2 });
  });

  it('fails where the report cannot be written', async () => {
    const { status, err } = await run([reference, '--only', 'plugin', '--json', 'missing/report.json']);
    expect(status).toBe(1);
    expect(err).toContain('The report cannot be written');
  });

  it('says its version and its usage on stdout', async () => {
    expect(await run(['--version'])).toEqual({ status: 0, out: manifest.version, err: '' });
    expect((await run(['--help'])).out).toContain('--only TEXT');
  });
});

describe('loadPlugin', () => {
  it('finds a package from a folder below the application, and gives its capabilities unchecked', async () => {
    application.write('src/deep/main.js', '');
    const loaded = await loadPlugin('theirs', join(application.root, 'src/deep'));
    expect(loaded.plugin.name).toBe('theirs');
    expect(loaded.package).toEqual({ name: 'theirs', version: '1.2.3' });
    expect(loaded.capabilities).toMatchObject({ name: 'theirs' });
  });

  it('takes the path of a package or of a module', async () => {
    for (const path of ['./node_modules/theirs', './node_modules/theirs/entry.js']) {
      const loaded = await loadPlugin(path, application.root);
      expect(loaded.package?.name).toBe('theirs');
    }
  });
});

it('options may come several times', () => {
  expect(parseArguments(['p', '--only', 'a', '--only', 'b', '--device', 'x', '--timeout', '2.5'])).toEqual({
    plugin: 'p',
    json: undefined,
    only: ['a', 'b'],
    devices: ['x'],
    timeoutMs: 2500,
  });
});
