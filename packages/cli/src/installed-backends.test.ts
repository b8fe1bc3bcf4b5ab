import type { BackendPlugin } from '@pocketllm/abi';
import reference from '@pocketllm/reference';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApplicationFolder } from '../../../tests/support/backend-package.js';
import { type KnownBackend, knownBackends } from './backends.js';
import { chooseBackend, installedBackends } from './installed-backends.js';

let application: ApplicationFolder;
let notes: string[];

beforeEach(() => {
  application = new ApplicationFolder();
  application.dependsOn([]);
  notes = [];
});
afterEach(() => application.remove());

const lastResort = knownBackends.filter((backend) => backend.lastResort);
const choose = (wanted?: string, own?: readonly KnownBackend[]) =>
  chooseBackend(wanted, application.root, (line) => notes.push(line), own);

/** The command's own backend for processors, with another plugin in its place. */
const ownCpu = (plugin: object): KnownBackend => ({
  package: '@pocketllm/backend-cpu',
  load: async () => plugin as BackendPlugin,
});

describe('installedBackends', () => {
  it('lists what this command knows, then what the application depends on', async () => {
    application.dependsOn(['their-backend', '@pocketllm/reference']);
    application.addBackend('their-backend', 'theirs');
    application.addBackend('@pocketllm/reference', 'another-copy');
    const listing = await installedBackends(application.root);
    expect(listing.map(({ name, origin, lastResort }) => [name, origin, lastResort])).toEqual([
      ['cpu', 'command', false],
      ['reference', 'command', true],
      ['theirs', 'application', false],
    ]);
  });

  it('finds every package of the list of known backends', async () => {
    const listing = await installedBackends(application.root);
    expect(listing.map((backend) => backend.package)).toEqual(
      knownBackends.map((backend) => backend.package),
    );
    expect(listing.every(({ capabilities }) => capabilities !== undefined)).toBe(true);
  });
});

describe('chooseBackend', () => {
  it('takes the last resort where there is nothing else, and says so in one line', async () => {
    expect((await choose(undefined, lastResort)).name).toBe('reference');
    expect(notes).toEqual([expect.stringMatching(/^No device backend is installed: running on reference/)]);
  });

  it("takes the command's own where it has a device, and has nothing to say", async () => {
    const plugin = { abi: 1, name: 'cpu', probe: () => reference.probe() };
    expect(await choose(undefined, [ownCpu(plugin), ...lastResort])).toBe(plugin);
    expect(notes).toEqual([]);
  });

  it("passes over the command's own where it has none, and says why", async () => {
    const plugin = { abi: 1, name: 'cpu', probe: async () => ({ devices: [], reason: 'not built' }) };
    expect((await choose(undefined, [ownCpu(plugin), ...lastResort])).name).toBe('reference');
    expect(notes).toEqual([
      expect.stringMatching(/^cpu cannot run here \(not built\): running on reference/),
    ]);
  });

  it('takes the device backend of the application before its own, and says so', async () => {
    application.dependsOn(['their-backend', 'their-oracle']);
    application.addBackend('their-backend', 'theirs');
    application.addBackend('their-oracle', 'oracle', { field: { byNameOnly: true } });
    expect((await choose()).name).toBe('theirs');
    expect(notes).toEqual([expect.stringContaining('theirs (their-backend)')]);
  });

  it('asks for a choice between two', async () => {
    application.dependsOn(['one-backend', 'two-backend']);
    application.addBackend('one-backend', 'one');
    application.addBackend('two-backend', 'two');
    await expect(choose()).rejects.toMatchObject({
      code: 'BACKEND_AMBIGUOUS',
      details: { candidates: ['one (one-backend)', 'two (two-backend)'] },
    });
  });

  it('takes the one that is named by name, package or path, and says nothing', async () => {
    application.dependsOn(['their-backend']);
    application.addBackend('their-backend', 'theirs');
    application.addBackend('mine', 'mine', {}, 'plugins');
    for (const [wanted, name] of [
      ['reference', 'reference'],
      ['@pocketllm/reference', 'reference'],
      ['theirs', 'theirs'],
      ['their-backend', 'theirs'],
      ['./plugins/mine', 'mine'],
    ] as const) {
      expect((await choose(wanted)).name).toBe(name);
    }
    expect(notes).toEqual([]);
  });

  it('says what there is where nothing is of that name', async () => {
    await expect(choose('cuda')).rejects.toMatchObject({
      code: 'BACKEND_NOT_FOUND',
      details: { wanted: 'cuda', available: ['cpu', 'reference'] },
    });
  });
});
