import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PocketError } from '@pocketllm/abi';

/** Fields of a package.json that matter here, as they stand in the file: nothing of them is checked. */
export interface Manifest {
  readonly name?: unknown;
  readonly version?: unknown;
  readonly pocketllm?: unknown;
  readonly dependencies?: unknown;
  readonly optionalDependencies?: unknown;
  readonly peerDependencies?: unknown;
}

/** The folder of a file or folder that is given as a path or as a file: URL such as import.meta.url. */
export async function folderOf(from: string | URL): Promise<string> {
  const isUrl = from instanceof URL || from.startsWith('file:');
  const path = isUrl ? fileURLToPath(from) : resolve(from);
  return (await kindOf(path)) === 'folder' ? path : dirname(path);
}

/** What stands at a path; undefined where nothing does. Links are followed. */
export async function kindOf(path: string): Promise<'file' | 'folder' | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found && (found.isDirectory() ? 'folder' : 'file');
}

/** The folder of the package that `folder` lies in: the nearest one upwards that has a package.json. */
export async function enclosingPackage(folder: string): Promise<string | undefined> {
  for (const candidate of upwards(folder)) {
    if (await kindOf(join(candidate, 'package.json'))) return candidate;
  }
  return undefined;
}

/** The folder that an import of the package would reach from a file in `folder`, links resolved. */
export async function findPackage(name: string, folder: string): Promise<string | undefined> {
  for (const above of upwards(folder)) {
    const candidate = join(above, 'node_modules', name);
    if (await kindOf(join(candidate, 'package.json'))) return realpath(candidate);
  }
  return undefined;
}

/** The package.json of a folder. One that cannot be read says nothing: it has no fields. */
export async function readManifest(folder: string): Promise<Manifest> {
  return readJsonObject(join(folder, 'package.json'), folder).catch(() => ({}));
}

/** A JSON file that holds an object. PLUGIN_INVALID, naming the plugin or package at fault, otherwise. */
export async function readJsonObject(path: string, plugin: string): Promise<object> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, 'utf8'));
  } catch (cause) {
    throw new PocketError('PLUGIN_INVALID', { plugin, reason: `${path}: ${cause}` }, { cause });
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new PocketError('PLUGIN_INVALID', { plugin, reason: `${path} is not an object` });
}

function* upwards(folder: string): Generator<string> {
  for (let current = folder; ; current = dirname(current)) {
    yield current;
    if (current === dirname(current)) return;
  }
}
