import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  ApplicationFolder,
  capabilitiesOf,
  pluginModule,
} from '../../../../tests/support/backend-package.js';
import { listBackends } from './list-backends.js';
import { loadBackend } from './load-backend.js';

let application: ApplicationFolder;

beforeEach(() => {
  application = new ApplicationFolder();
});
afterEach(() => application.remove());

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no error',
    ({ code, details }) => ({ code, ...details }),
  );

const load = (wanted?: string) => loadBackend(wanted, { from: application.root });

describe('listBackends', () => {
  it('lists the dependencies that declare a backend, and no other package that is installed', async () => {
    application.dependsOn(['ours', 'left-pad'], {
      optionalDependencies: { 'not-installed': '*' },
      peerDependencies: { '@some/peer': '*' },
      devDependencies: { development: '*' },
    });
    application.addBackend('ours', 'fast');
    application.addBackend('@some/peer', 'peer');
    application.addBackend('development', 'development');
    application.addBackend('transitive', 'transitive');
    application.write('node_modules/left-pad/package.json', { name: 'left-pad' });
    expect((await listBackends({ from: application.root })).map((listing) => listing.name)).toEqual([
      'peer',
      'fast',
    ]);
  });

  it('gives package, version, place and capabilities without running code', async () => {
    application.dependsOn(['ours']);
    application.addBackend('ours', 'quiet', { field: { byNameOnly: true } });
    const folder = join(application.root, 'node_modules/ours');
    expect(await listBackends({ from: application.root })).toEqual([
      {
        name: 'quiet',
        package: 'ours',
        version: '1.2.3',
        folder,
        entry: join(folder, 'entry.js'),
        byNameOnly: true,
        capabilities: capabilitiesOf('quiet'),
      },
    ]);
    expect((globalThis as { pluginsRun?: string[] }).pluginsRun ?? []).not.toContain('quiet');
  });

  it('finds the application from a file of it, by path or URL', async () => {
    application.dependsOn(['ours']);
    application.addBackend('ours', 'fast');
    application.write('src/deep/main.js', '');
    const file = join(application.root, 'src/deep/main.js');
    for (const from of [file, pathToFileURL(file), pathToFileURL(file).href, join(application.root, 'src')]) {
      expect(await listBackends({ from })).toHaveLength(1);
    }
  });

  it('lists nothing where the application has no package.json that can be read', async () => {
    application.write('package.json', '{ // no JSON');
    expect(await listBackends({ from: application.root })).toEqual([]);
  });

  it('finds a package that is installed above the application', async () => {
    application.write('apps/one/package.json', { name: 'one', dependencies: { ours: '*' } });
    application.addBackend('ours', 'fast');
    expect(await listBackends({ from: join(application.root, 'apps/one') })).toHaveLength(1);
  });

  it.each([
    ['a capabilities file that is no JSON', { capabilities: '{' }, 'PLUGIN_INVALID'],
    ['a capabilities file of another shape', { capabilities: { abi: 1, name: 'x' } }, 'PLUGIN_INVALID'],
    ['a capabilities file of another ABI', { capabilities: { abi: 2 } }, 'ABI_MISMATCH'],
    ['another ABI in package.json', { field: { abi: 2 } }, 'ABI_MISMATCH'],
    ['no entry', { field: { backend: 7 } }, 'PLUGIN_INVALID'],
    ['an entry outside of the package', { field: { backend: '../other/entry.js' } }, 'PLUGIN_INVALID'],
    ['no version of the ABI', { field: { abi: 'one' } }, 'PLUGIN_INVALID'],
  ])('says what is wrong with a package that has %s', async (_, parts, code) => {
    application.dependsOn(['broken', 'ours']);
    application.addBackend('broken', 'broken', parts);
    application.addBackend('ours', 'fast');
    const [broken, sound] = await listBackends({ from: application.root });
    expect(broken?.problem?.code).toBe(code);
    expect(broken?.capabilities).toBeUndefined();
    expect(sound?.problem).toBeUndefined();
    expect(await failure(load('broken'))).toMatchObject({ code });
  });
});

describe('loadBackend', () => {
  it('takes the only backend among the dependencies, one that goes by name only aside', async () => {
    application.dependsOn(['ours', 'oracle']);
    application.addBackend('ours', 'fast');
    application.addBackend('oracle', 'oracle', { field: { byNameOnly: true } });
    expect((await load()).name).toBe('fast');
    expect((await load('oracle')).name).toBe('oracle');
  });

  it('lists both where two rank alike, by choice or by name', async () => {
    application.dependsOn(['first', 'second']);
    application.addBackend('first', 'fast');
    application.addBackend('second', 'fast');
    const candidates = ['fast (first)', 'fast (second)'];
    expect(await failure(load())).toEqual({ code: 'BACKEND_AMBIGUOUS', candidates });
    expect(await failure(load('fast'))).toEqual({ code: 'BACKEND_AMBIGUOUS', candidates });
    expect((await load('second')).name).toBe('fast');
  });

  it('says what there is where nothing fits', async () => {
    application.dependsOn(['oracle']);
    application.addBackend('oracle', 'exact', { field: { byNameOnly: true } });
    const available = ['exact (oracle)'];
    expect(await failure(load())).toEqual({ code: 'BACKEND_NOT_FOUND', wanted: 'any backend', available });
    expect(await failure(load('cuda'))).toEqual({ code: 'BACKEND_NOT_FOUND', wanted: 'cuda', available });
  });

  it('takes a package that is named although the application does not depend on it', async () => {
    application.dependsOn([]);
    application.addBackend('@their/backend', 'fast');
    expect((await load('@their/backend')).name).toBe('fast');
    application.write('node_modules/left-pad/package.json', { name: 'left-pad' });
    expect(await failure(load('left-pad'))).toMatchObject({ code: 'PLUGIN_INVALID' });
  });

  it('takes a path of a package or of a module, from the folder of the application on', async () => {
    application.dependsOn([]);
    application.addBackend('mine', 'fast', {}, 'plugins');
    for (const path of [
      './plugins/mine',
      join(application.root, 'plugins/mine'),
      './plugins/mine/entry.js',
      pathToFileURL(join(application.root, 'plugins/mine')).href,
    ]) {
      expect((await load(path)).name).toBe('fast');
    }
    const missing = join(application.root, 'plugins/none');
    expect(await failure(load('./plugins/none'))).toMatchObject({
      code: 'BACKEND_NOT_FOUND',
      wanted: missing,
    });
    expect(await failure(load('./plugins'))).toMatchObject({
      code: 'PLUGIN_INVALID',
      reason: 'its package.json has no field pocketllm',
    });
  });

  it.each([
    ['that throws', 'throw new Error("no such driver")', 'PLUGIN_INVALID'],
    ['without a plugin', 'export default {}', 'PLUGIN_INVALID'],
    ['of another ABI than its package.json says', pluginModule('fast', 2), 'ABI_MISMATCH'],
    ['of another name than its capabilities file', pluginModule('slow'), 'PLUGIN_INVALID'],
  ])('refuses a module %s', async (_, module, code) => {
    application.dependsOn(['ours']);
    application.addBackend('ours', 'fast', { module });
    expect(await failure(load())).toMatchObject({ code });
  });
});
