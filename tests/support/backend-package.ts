import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** What of a backend package is not as it should be. */
export interface PackageFaults {
  /** Fields of `pocketllm` in package.json, over the right ones. */
  readonly field?: object;
  /** In place of a sound pocketllm.backend.json. */
  readonly capabilities?: string | object;
  /** In place of a sound module. */
  readonly module?: string;
}

/** Text of a module that exports a plugin without devices, and notes in `globalThis.pluginsRun` that it ran. */
export const pluginModule = (name: string, abi = 1) => `
  globalThis.pluginsRun = [...(globalThis.pluginsRun ?? []), ${JSON.stringify(name)}];
  export default {
    abi: ${abi}, name: ${JSON.stringify(name)},
    async probe() { return { devices: [], reason: 'only a test' }; },
    async open() { throw new Error('only a test'); },
  };`;

export const capabilitiesOf = (name: string) => ({
  abi: 1,
  name,
  deviceClasses: ['cpu'],
  ops: [],
  bitExact: [],
});

/** A folder that stands in for an application with packages that are installed; to be removed after use. */
export class ApplicationFolder {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'pocketllm-application-')));

  /** Its package.json, which depends on these packages. */
  dependsOn(dependencies: readonly string[], more: object = {}): void {
    const versions = Object.fromEntries(dependencies.map((name) => [name, '*']));
    this.write('package.json', { name: 'application', dependencies: versions, ...more });
  }

  /** A package that declares the backend `name`, in node_modules or another place. */
  addBackend(packageName: string, name: string, faults: PackageFaults = {}, place = 'node_modules'): void {
    const { field = {}, capabilities = capabilitiesOf(name), module = pluginModule(name) } = faults;
    const pocketllm = { backend: './entry.js', abi: 1, ...field };
    const folder = `${place}/${packageName}`;
    this.write(`${folder}/package.json`, { name: packageName, version: '1.2.3', type: 'module', pocketllm });
    this.write(`${folder}/pocketllm.backend.json`, capabilities);
    this.write(`${folder}/entry.js`, module);
  }

  write(path: string, content: string | object): void {
    const file = join(this.root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
