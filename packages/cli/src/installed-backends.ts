import { type BackendPlugin, isPocketError, PocketError } from '@pocketllm/abi';
import { probeBackend } from '@pocketllm/runtime';
import {
  type BackendListing,
  listBackends,
  loadBackend,
  loadListing,
  pickBackend,
} from '@pocketllm/runtime/node';
import { knownBackends } from './backends.js';

/** A backend that can be named or chosen here. */
export interface InstalledBackend extends BackendListing {
  /** Whether it came with this command, or is a dependency of the application in the current directory. */
  readonly origin: 'command' | 'application';
  readonly lastResort: boolean;
  load(): Promise<BackendPlugin>;
}

/**
 * The backends that came with this command, and those that the application around `cwd` depends on. No code of
 * theirs runs. Of a package that is in both, the command's own copy counts.
 */
export async function installedBackends(
  cwd: string,
  ownBackends = knownBackends,
): Promise<InstalledBackend[]> {
  const own = await listBackends({ from: import.meta.url });
  const known = ownBackends.flatMap((backend): InstalledBackend[] => {
    const listing = own.find((candidate) => candidate.package === backend.package);
    if (!listing) return [];
    const load = () => (listing.problem ? loadListing(listing) : backend.load());
    return [{ ...listing, origin: 'command', lastResort: backend.lastResort ?? false, load }];
  });
  const others = (await listBackends({ from: cwd }))
    .filter((listing) => !known.some((backend) => backend.package === listing.package))
    .map(
      (listing): InstalledBackend => ({
        ...listing,
        origin: 'application',
        lastResort: false,
        load: () => loadListing(listing),
      }),
    );
  return [...known, ...others];
}

/**
 * The backend to run on: the one that was asked for; else the only device backend that the application depends on;
 * else one of the command's own that has a device here; else the last resort. A choice that was not asked for, and
 * what it passed over, is a line to `note`. BACKEND_AMBIGUOUS, BACKEND_NOT_FOUND and what loading may fail with.
 */
export async function chooseBackend(
  wanted: string | undefined,
  cwd: string,
  note: (line: string) => void,
  ownBackends = knownBackends,
): Promise<BackendPlugin> {
  const installed = await installedBackends(cwd, ownBackends);
  if (wanted !== undefined) return namedBackend(wanted, installed, cwd);
  const devices = installed.filter(({ lastResort, byNameOnly }) => !lastResort && !byNameOnly);
  const applications = devices.filter(({ origin }) => origin === 'application');
  if (applications.length > 0) {
    const chosen = pickBackend(applications);
    note(`Running on ${chosen.name} (${chosen.package}), which the application here depends on.`);
    return chosen.load();
  }
  const passedOver: string[] = [];
  for (const backend of devices) {
    const plugin = await backend.load();
    const { devices: found, reason } = await probeBackend(plugin);
    if (found.length > 0) return plugin;
    passedOver.push(`${backend.name} cannot run here (${reason ?? 'it finds no device'})`);
  }
  const lastResort = installed.find((backend) => backend.lastResort);
  if (!lastResort) throw new PocketError('BACKEND_NOT_FOUND', { wanted: 'any backend', available: [] });
  const why = passedOver.join('; ') || 'No device backend is installed';
  note(`${why}: running on ${lastResort.name}, which is exact and slow.`);
  return lastResort.load();
}

async function namedBackend(wanted: string, installed: readonly InstalledBackend[], cwd: string) {
  const isInstalled = installed.some(({ name, package: packageName }) =>
    [name, packageName].includes(wanted),
  );
  if (isInstalled) return pickBackend(installed, wanted).load();
  try {
    return await loadBackend(wanted, { from: cwd });
  } catch (error) {
    if (!isPocketError(error, 'BACKEND_NOT_FOUND')) throw error;
    const available = installed.map(({ name }) => name);
    throw new PocketError('BACKEND_NOT_FOUND', { wanted: error.details.wanted, available });
  }
}
