import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listBackends } from './list-backends.js';
import { loadBackend } from './load-backend.js';

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'pocketllm-backends-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, content: string | object): void {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
}

/** A module that leaves a mark when it runs. */
const moduleOf = (name: string, abi = 1) => `
  globalThis.pluginsRun = [...(globalThis.pluginsRun ?? []), ${JSON.stringify(name)}];
  export default {
    abi: ${abi}, name: ${JSON.stringify(name)},
    async probe() { return { devices: [], reason: 'only a test' }; },
    async open() { throw new Error('only a test'); },
  };`;

const capabilitiesOf = (name: string) => ({ abi: 1, name, deviceClasses: ['cpu'], ops: [], bitExact: [] });

interface PackageParts {
  readonly field?: object;
  readonly capabilities?: string | object;
  readonly module?: string;
}

function backendPackage(
  packageName: string,
  name: string,
  parts: PackageParts = {},
  place = 'node_modules',
): void {
  const folder = `${place}/${packageName}`;
  const field = { backend: './entry.js', abi: 1, ...parts.field };
  write(`${folder}/package.json`, { name: packageName, version: '1.2.3', type: 'module', pocketllm: field });
  write(`${folder}/pocketllm.backend.json`, parts.capabilities ?? capabilitiesOf(name));
  write(`${folder}/entry.js`, parts.module ?? moduleOf(name));
}

const application = (dependencies: readonly string[], more: object = {}) =>
  write('package.json', {
    name: 'app',
    dependencies: Object.fromEntries(dependencies.map((name) => [name, '*'])),
    ...more,
  });

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no error',
    ({ code, details }) => ({ code, ...details }),
  );

const load = (wanted?: string) => loadBackend(wanted, { from: root });

describe('listBackends', () => {
  it('lists the dependencies that declare a backend, and no other package that is installed', async () => {
    application(['ours', 'left-pad'], {
      optionalDependencies: { 'not-installed': '*' },
      peerDependencies: { '@some/peer': '*' },
      devDependencies: { development: '*' },
    });
    backendPackage('ours', 'fast');
    backendPackage('@some/peer', 'peer');
    backendPackage('development', 'development');
    backendPackage('transitive', 'transitive');
    write('node_modules/left-pad/package.json', { name: 'left-pad' });
    expect((await listBackends({ from: root })).map((listing) => listing.name)).toEqual(['peer', 'fast']);
  });

  it('gives package, version, place and capabilities without running code', async () => {
    application(['ours']);
    backendPackage('ours', 'quiet', { field: { byNameOnly: true } });
    const folder = join(root, 'node_modules/ours');
    expect(await listBackends({ from: root })).toEqual([
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
    application(['ours']);
    backendPackage('ours', 'fast');
    write('src/deep/main.js', '');
    const file = join(root, 'src/deep/main.js');
    for (const from of [file, pathToFileURL(file), pathToFileURL(file).href, join(root, 'src')]) {
      expect(await listBackends({ from })).toHaveLength(1);
    }
  });

  it('finds a package that is installed above the application', async () => {
    write('apps/one/package.json', { name: 'one', dependencies: { ours: '*' } });
    backendPackage('ours', 'fast');
    expect(await listBackends({ from: join(root, 'apps/one') })).toHaveLength(1);
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
    application(['broken', 'ours']);
    backendPackage('broken', 'broken', parts);
    backendPackage('ours', 'fast');
    const [broken, sound] = await listBackends({ from: root });
    expect(broken?.problem?.code).toBe(code);
    expect(broken?.capabilities).toBeUndefined();
    expect(sound?.problem).toBeUndefined();
    expect(await failure(load('broken'))).toMatchObject({ code });
  });
});

describe('loadBackend', () => {
  it('takes the only backend among the dependencies, one that goes by name only aside', async () => {
    application(['ours', 'oracle']);
    backendPackage('ours', 'fast');
    backendPackage('oracle', 'oracle', { field: { byNameOnly: true } });
    expect((await load()).name).toBe('fast');
    expect((await load('oracle')).name).toBe('oracle');
  });

  it('lists both where two rank alike, by choice or by name', async () => {
    application(['first', 'second']);
    backendPackage('first', 'fast');
    backendPackage('second', 'fast');
    const candidates = ['fast (first)', 'fast (second)'];
    expect(await failure(load())).toEqual({ code: 'BACKEND_AMBIGUOUS', candidates });
    expect(await failure(load('fast'))).toEqual({ code: 'BACKEND_AMBIGUOUS', candidates });
    expect((await load('second')).name).toBe('fast');
  });

  it('says what there is where nothing fits', async () => {
    application(['oracle']);
    backendPackage('oracle', 'exact', { field: { byNameOnly: true } });
    const available = ['exact (oracle)'];
    expect(await failure(load())).toEqual({ code: 'BACKEND_NOT_FOUND', wanted: 'any backend', available });
    expect(await failure(load('cuda'))).toEqual({ code: 'BACKEND_NOT_FOUND', wanted: 'cuda', available });
  });

  it('takes a package that is named although the application does not depend on it', async () => {
    application([]);
    backendPackage('@their/backend', 'fast');
    expect((await load('@their/backend')).name).toBe('fast');
    write('node_modules/left-pad/package.json', { name: 'left-pad' });
    expect(await failure(load('left-pad'))).toMatchObject({ code: 'PLUGIN_INVALID' });
  });

  it('takes a path of a package or of a module, from the folder of the application on', async () => {
    application([]);
    backendPackage('mine', 'fast', {}, 'plugins');
    for (const path of [
      './plugins/mine',
      join(root, 'plugins/mine'),
      './plugins/mine/entry.js',
      pathToFileURL(join(root, 'plugins/mine')).href,
    ]) {
      expect((await load(path)).name).toBe('fast');
    }
    const missing = join(root, 'plugins/none');
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
    ['of another ABI than its package.json says', moduleOf('fast', 2), 'ABI_MISMATCH'],
    ['of another name than its capabilities file', moduleOf('slow'), 'PLUGIN_INVALID'],
  ])('refuses a module %s', async (_, module, code) => {
    application(['ours']);
    backendPackage('ours', 'fast', { module });
    expect(await failure(load())).toMatchObject({ code });
  });
});
