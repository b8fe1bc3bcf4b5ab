import { join, relative } from 'node:path';
import { type Capabilities, isPocketError, PocketError, parseCapabilities } from '@pocketllm/abi';
import { checkAbi } from '../backend/check-plugin.js';
import { enclosingPackage, findPackage, folderOf, readJsonObject, readManifest } from './package-folders.js';

/** A backend package as its own files describe it. None of its code has run. */
export interface BackendListing {
  /** The backend's name by its capabilities file; the package's where that file is of no use. */
  readonly name: string;
  readonly package: string;
  readonly version: string;
  /** Where the package lies, and the module that exports the plugin. Absolute. */
  readonly folder: string;
  readonly entry: string;
  /** It is never chosen unless it is named. */
  readonly byNameOnly: boolean;
  /** What it runs; absent where `problem` says why it cannot be used. */
  readonly capabilities?: Capabilities;
  readonly problem?: PocketError;
}

export interface DiscoveryOptions {
  /** A file or folder of the application, or its import.meta.url; the working directory where absent. */
  readonly from?: string | URL;
}

/**
 * The backends among the packages that the application depends on, in the order of their names. Reads the
 * package.json of each dependency and the pocketllm.backend.json beside it; runs no code of theirs.
 */
export async function listBackends({
  from = process.cwd(),
}: DiscoveryOptions = {}): Promise<BackendListing[]> {
  const application = await enclosingPackage(await folderOf(from));
  if (application === undefined) return [];
  const { dependencies, optionalDependencies, peerDependencies } = await readManifest(application);
  const names = [dependencies, optionalDependencies, peerDependencies].flatMap((list) =>
    Object.keys(list ?? {}),
  );
  const listings = await Promise.all(
    [...new Set(names)].sort().map(async (name) => {
      const folder = await findPackage(name, application);
      return folder === undefined ? undefined : readBackendPackage(folder);
    }),
  );
  return listings.filter((listing) => listing !== undefined);
}

/**
 * The backend that the package in `folder` declares; undefined where it declares none. What is wrong with it is
 * in `problem`, so that one broken package does not hide the others.
 */
export async function readBackendPackage(folder: string): Promise<BackendListing | undefined> {
  const manifest = await readManifest(folder);
  if (manifest.pocketllm === undefined) return undefined;
  const packageName = String(manifest.name ?? folder);
  const { backend, abi, byNameOnly } = Object(manifest.pocketllm) as Record<string, unknown>;
  const common = {
    name: packageName,
    package: packageName,
    version: String(manifest.version ?? ''),
    folder,
    entry: join(folder, String(backend)),
    byNameOnly: byNameOnly === true,
  };
  try {
    if (typeof backend !== 'string' || !isWithin(folder, common.entry)) {
      throw invalid(packageName, 'pocketllm.backend in package.json is not a path within the package');
    }
    if (typeof abi !== 'number') throw invalid(packageName, 'pocketllm.abi in package.json is not a number');
    checkAbi(abi, packageName);
    const file = await readJsonObject(join(folder, 'pocketllm.backend.json'), packageName);
    const capabilities = parseCapabilities(file, packageName);
    return { ...common, name: capabilities.name, capabilities };
  } catch (problem) {
    if (!isPocketError(problem)) throw problem;
    return { ...common, problem };
  }
}

function isWithin(folder: string, path: string): boolean {
  return !/^\.\.(?:[/\\]|$)/.test(relative(folder, path));
}

const invalid = (plugin: string, reason: string) => new PocketError('PLUGIN_INVALID', { plugin, reason });
