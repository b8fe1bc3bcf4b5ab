import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApplicationFolder } from '../../../tests/support/backend-package.js';
import { knownBackends } from './backends.js';
import { chooseBackend, installedBackends } from './installed-backends.js';

let application: ApplicationFolder;
let notes: string[];

beforeEach(() => {
  application = new ApplicationFolder();
  application.dependsOn([]);
  notes = [];
});
afterEach(() => application.remove());

const choose = (wanted?: string) => chooseBackend(wanted, application.root, (line) => notes.push(line));

describe('installedBackends', () => {
  it('lists what this command knows, then what the application depends on', async () => {
    application.dependsOn(['their-backend', '@pocketllm/reference']);
    application.addBackend('their-backend', 'theirs');
    application.addBackend('@pocketllm/reference', 'another-copy');
    const listing = await installedBackends(application.root);
    expect(listing.map(({ name, origin, lastResort }) => [name, origin, lastResort])).toEqual([
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
    expect((await choose()).name).toBe('reference');
    expect(notes).toEqual([expect.stringMatching(/^No device backend is installed: running on reference/)]);
  });

  it('takes the only device backend, and says so', async () => {
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
      details: { wanted: 'cuda', available: ['reference'] },
    });
  });
});
