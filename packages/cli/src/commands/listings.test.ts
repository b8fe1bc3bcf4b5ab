import { ops, weightFormats } from '@pocketllm/abi';
import { architectures } from '@pocketllm/runtime';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  ApplicationFolder,
  capabilitiesOf,
  pluginModule,
} from '../../../../tests/support/backend-package.js';
import { runCommand } from '../../test/run-command.js';
import { inTreeModel } from '../in-tree-model.js';

let application: ApplicationFolder;

beforeEach(() => {
  application = new ApplicationFolder();
  application.dependsOn(['their-backend', 'broken-backend']);
  application.addBackend('their-backend', 'theirs', {
    capabilities: {
      ...capabilitiesOf('theirs'),
      ops: [
        { op: 'matmul', formats: ['f32', 'q8_0'], limits: { inFeatures: { max: 4096, multipleOf: 32 } } },
        { op: 'attention', caches: ['f16'] },
        { op: 'activation', attributes: { function: ['silu'] } },
      ],
    },
    module: 'throw new Error("needs a driver")',
  });
  application.addBackend('broken-backend', 'broken', { capabilities: '{' });
});
afterEach(() => application.remove());

async function list(...argv: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCommand(argv, { cwd: application.root });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

describe('backends', () => {
  it('prints what is declared, of a backend that cannot even be loaded too', async () => {
    const text = await list('backends');
    expect(text).toContain('reference: @pocketllm/reference');
    expect(text).toContain('theirs: their-backend 1.2.3');
    expect(text).toMatch(/^ {2}matmul +f32 q8_0 inFeatures<=4096 inFeatures%32=0$/m);
    expect(text).toMatch(/^ {2}attention +cache:f16$/m);
    expect(text).toMatch(/^ {2}activation +function=silu$/m);
  });

  it('says what is wrong with a package, and lists the others', async () => {
    expect(await list('backends')).toMatch(/broken-backend: .*\n {2}PLUGIN_INVALID: /);
  });

  it('says of a backend that it is opened by name only, and of one that claims nothing', async () => {
    application.addBackend('their-backend', 'theirs', { field: { byNameOnly: true } });
    expect(await list('backends')).toMatch(/theirs: their-backend 1\.2\.3, opened by name only\n {2}ABI 1;/);
  });

  it('gives the declared rows as JSON', async () => {
    const listing = JSON.parse(await list('backends', '--json'));
    expect(listing.map(({ name }: { name: string }) => name)).toEqual([
      'cpu',
      'reference',
      'broken-backend',
      'theirs',
    ]);
    expect(listing[3].capabilities.ops[0]).toMatchObject({ op: 'matmul', formats: ['f32', 'q8_0'] });
    expect(listing[2].problem.code).toBe('PLUGIN_INVALID');
  });
});

describe('devices', () => {
  it('says what can be opened, and why the rest cannot', async () => {
    const text = await list('devices');
    expect(text).toMatch(/^reference +reference +cpu +- +Reference/m);
    expect(text).toMatch(/^theirs .*not available: PLUGIN_INVALID: .*needs a driver/m);
  });

  it('gives the reason of a probe as JSON', async () => {
    application.addBackend('their-backend', 'theirs', { module: pluginModule('theirs') });
    const listing = JSON.parse(await list('devices', '--json'));
    expect(listing).toContainEqual({
      backend: 'theirs',
      package: 'their-backend',
      devices: [],
      reason: 'only a test',
    });
    expect(listing[1].devices[0]).toEqual({ id: 'reference', name: expect.any(String), class: 'cpu' });
  });
});

describe('architectures', () => {
  it('are those of the runtime', async () => {
    const listing = JSON.parse(await list('architectures', '--json'));
    expect(listing.map(({ name }: { name: string }) => name)).toEqual([...architectures.keys()]);
    expect(await list('architectures')).toMatch(/^qwen3 +Qwen3/m);
  });
});

describe('ops', () => {
  it('have signature, formula and the backends that claim them', async () => {
    const text = await list('ops', 'matmul');
    expect(text).toContain('matmul(x: f32[rows, inFeatures], weight: weight[outFeatures, inFeatures]');
    expect(text).toContain(ops.matmul.formula);
    expect(text).toContain('backends: cpu, reference, theirs');
    expect(text).not.toContain('rms_norm');
  });

  it('are all there, and so is every weight format', async () => {
    const { ops: listed, formats } = JSON.parse(await list('ops', '--json'));
    expect(listed.map(({ name }: { name: string }) => name)).toEqual(Object.keys(ops));
    const names = formats.map(({ name }: { name: string }) => name);
    for (const name of Object.keys(weightFormats)) expect(names).toContain(name);
    expect(await list('ops')).toMatch(/^q8_0 +8 +8\.50 +32 +2 +weights$/m);
  });
});

describe('inspect', () => {
  it('takes the model as an argument or by --model, for people and as JSON', async () => {
    const text = await list('inspect', inTreeModel());
    expect(text).toMatch(/^ {2}architecture +qwen3$/m);
    const report = JSON.parse(await list('inspect', '--model', inTreeModel(), '--json'));
    expect(report).toMatchObject({ architecture: 'qwen3', runs: { possible: true } });
    expect(report.tensors).toHaveLength(46);
  });

  it('of what is no model fails with 1', async () => {
    application.write('page.gguf', '<!DOCTYPE html><html></html>');
    const { code, stdout, stderr } = await runCommand(['inspect', 'page.gguf'], { cwd: application.root });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('a web page (HTML)');
  });
});
