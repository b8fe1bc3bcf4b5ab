import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type BackendPlugin, PocketError } from '@pocketllm/abi';
import { checkPlugin } from '../backend/check-plugin.js';
import {
  type BackendListing,
  type DiscoveryOptions,
  listBackends,
  readBackendPackage,
} from './list-backends.js';
import { findPackage, folderOf, kindOf } from './package-folders.js';

/**
 * Finds a backend and loads its module. `wanted` is the name of a backend or of a package among the
 * application's dependencies, any other package that the application can reach, or a path (that starts with a
 * dot, or is absolute, or is a file: URL) of a package or module. Where absent, the only backend among the
 * dependencies is taken.
 *
 * - BACKEND_NOT_FOUND: there is none, or none of that name; lists those that are there
 * - BACKEND_AMBIGUOUS: several rank alike; lists them
 * - PLUGIN_INVALID, ABI_MISMATCH: the package holds no plugin of this version
 */
export async function loadBackend(wanted?: string, options: DiscoveryOptions = {}): Promise<BackendPlugin> {
  const { from = process.cwd() } = options;
  const folder = await folderOf(from);
  if (wanted !== undefined && isPath(wanted)) return loadPath(wanted, folder);
  const listings = await listBackends({ from: folder });
  if (wanted !== undefined && isPackageName(wanted) && !listings.some(goesBy(wanted))) {
    const undeclared = await findPackage(wanted, folder);
    if (undeclared !== undefined) return loadFolder(undeclared);
  }
  return loadListing(pickBackend(listings, wanted));
}

/**
 * The backend of a list that a name or package name means; without one, the only backend that may be chosen
 * without being named. BACKEND_NOT_FOUND or BACKEND_AMBIGUOUS where that is not exactly one.
 */
export function pickBackend<L extends BackendListing>(listings: readonly L[], wanted?: string): L {
  const candidates = listings.filter(wanted === undefined ? ({ byNameOnly }) => !byNameOnly : goesBy(wanted));
  const [only] = candidates;
  if (!only) {
    throw new PocketError('BACKEND_NOT_FOUND', {
      wanted: wanted ?? 'any backend',
      available: listings.map(describe),
    });
  }
  if (candidates.length === 1) return only;
  throw new PocketError('BACKEND_AMBIGUOUS', { candidates: candidates.map(describe) });
}

/** Imports the module of a listed backend and checks that it is what its files say. */
export async function loadListing(listing: BackendListing): Promise<BackendPlugin> {
  if (listing.problem) throw listing.problem;
  const plugin = await importPlugin(listing.entry, listing.package);
  if (plugin.name !== listing.name) {
    const reason = `its module is named ${plugin.name}, its capabilities file ${listing.name}`;
    throw new PocketError('PLUGIN_INVALID', { plugin: listing.package, reason });
  }
  return plugin;
}

async function loadPath(wanted: string, base: string): Promise<BackendPlugin> {
  const path = wanted.startsWith('file:') ? fileURLToPath(wanted) : resolve(base, wanted);
  const kind = await kindOf(path);
  if (kind === undefined) throw new PocketError('BACKEND_NOT_FOUND', { wanted: path, available: [] });
  return kind === 'folder' ? loadFolder(path) : importPlugin(path, path);
}

async function loadFolder(folder: string): Promise<BackendPlugin> {
  const listing = await readBackendPackage(folder);
  if (listing) return loadListing(listing);
  const reason = 'its package.json has no field pocketllm';
  throw new PocketError('PLUGIN_INVALID', { plugin: folder, reason });
}

async function importPlugin(path: string, source: string): Promise<BackendPlugin> {
  let module: { default?: unknown };
  try {
    module = await import(pathToFileURL(path).href);
  } catch (cause) {
    const reason = `its module does not load: ${String(cause)}`;
    throw new PocketError('PLUGIN_INVALID', { plugin: source, reason }, { cause });
  }
  return checkPlugin(module.default, source);
}

/** Never a package name: those start with a letter, a digit or @. */
const isPath = (wanted: string) => wanted.startsWith('.') || wanted.startsWith('file:') || isAbsolute(wanted);

const isPackageName = (name: string) => /^(?:@[\w.-]+\/)?\w[\w.-]*$/.test(name);

const goesBy = (wanted: string) => (listing: BackendListing) =>
  listing.name === wanted || listing.package === wanted;

const describe = ({ name, package: packageName }: BackendListing) =>
  name === packageName ? name : `${name} (${packageName})`;
